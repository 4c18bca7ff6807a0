import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { Kysely, Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { inUse, textAt } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { admits, type Person } from '../../people/persons/person.ts'
import { cardLayout, cardOfEntry, type CardPages } from '../../records/documents/entry-paper.ts'
import { draw, layOut, layOutAside } from '../../records/documents/render.ts'
import type { Item } from '../../records/registers/item.ts'
import type { registers } from '../../records/registers/registers.ts'
import { type StoredFile, files } from '../../records/files/files.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import { lookUp, valueAt } from '../../model/definitions/named.ts'
import { findAnyItem } from '../rows/items.ts'
import { type RegistersContext, inTransaction } from './context.ts'
import { seenItem } from './read.ts'
import { definitionOf } from './views.ts'

/** Pixels of the picture on a card: 22 × 28 mm at 500 dots per inch. */
const PICTURE = { width: 433, height: 557 }

export interface PaperDependencies {
  store: ObjectStore
  publicUrl: string
  library: Pick<Library, 'text' | 'documents'>
}

type Registers = ReturnType<typeof registers>

/** A paper of an entry, ready for the layout. */
interface Prepared {
  item: Item
  card: object
  /** The name under which the layout reads its picture, and the file. */
  picture: { name: string; file: StoredFile } | null
}

/**
 * The PDF of a register entry, for people who see the entry; the audit trail gets it. Throws 404 if its register prints
 * none.
 */
export function printEntry(
  context: RegistersContext,
  dependencies: PaperDependencies,
  person: Person,
  { register, id }: { register: string; id: string },
): Promise<{ name: string; pdf: Buffer }> {
  return inTransaction(context, async (own, trx) => {
    const printed = printerOf(context, dependencies, person, register)
    const prepared = await printed.prepare(own, trx, id)
    const { item, card } = prepared
    await notePrinted(trx, person, register, [item])
    const page: CardPages = { cards: [card], side: null, sheet: null }
    const pictures = await printed.pictures(trx, [prepared])
    return { name: item.title, pdf: layOut(cardLayout(), page, new Date(item.changedAt), pictures) }
  })
}

/** One side of the same as a drawing. */
export function drawEntry(
  context: RegistersContext,
  dependencies: PaperDependencies,
  person: Person,
  { register, id, side }: { register: string; id: string; side: 'front' | 'back' },
): Promise<string> {
  return inTransaction(context, async (own, trx) => {
    const printer = printerOf(context, dependencies, person, register)
    const prepared = await printer.prepare(own, trx, id)
    const page: CardPages = { cards: [prepared.card], side, sheet: null }
    return draw(cardLayout(), page, await printer.pictures(trx, [prepared]))
  })
}

/**
 * The PDF of several entries on sheets, in their order, for people who see them all; each of them is in the audit trail.
 * Throws 404 if the paper of the register has no sheet, or somebody does not see an entry.
 */
export async function printSheets(
  context: RegistersContext,
  dependencies: PaperDependencies,
  person: Person,
  { register, ids }: { register: string; ids: readonly string[] },
): Promise<{ name: string; pdf: Buffer }> {
  const printer = printerOf(context, dependencies, person, register)
  const { sheet } = printer.document
  if (!sheet) throw new BusinessError('platform.not-found')
  const prepared = await inTransaction(context, async (own, trx) => {
    const found: Prepared[] = []
    // In one order, so that two people who print for the first time never wait for each other's codes.
    for (const id of ids.toSorted()) found.push(await printer.prepare(own, trx, id))
    return found
  })
  const cards = prepared.toSorted((a, b) => ids.indexOf(a.item.id) - ids.indexOf(b.item.id))
  const page: CardPages = { cards: cards.map(({ card }) => card), side: null, sheet }
  const made = new Date()
  const pictures = await printer.pictures(context.db, prepared)
  const pdf = await layOutAside({ source: cardLayout(), page, made, pictures })
  const items = cards.map(({ item }) => item)
  await context.db.transaction().execute((trx) => notePrinted(trx, person, register, items))
  return { name: `${register.replace('/', '-')}-${dayInColombo(made)}`, pdf }
}

async function notePrinted(
  trx: Transaction<DB>,
  person: Person,
  register: string,
  items: readonly Item[],
): Promise<void> {
  for (const { id, version, status } of items)
    await audit(trx).record({
      actor: person.id,
      action: 'register-item.printed',
      object: `${register}:${id}`,
      payload: { version, status },
    })
}

/** Prepares the papers of entries of a register. Throws 404 if it prints none. */
function printerOf(
  context: RegistersContext,
  { store, publicUrl, library }: PaperDependencies,
  person: Person,
  register: string,
) {
  const { paper, ...definition } = definitionOf(context, register)
  if (!paper) throw new BusinessError('platform.not-found')
  const document = known(library.documents.get(paper.document), `the document ${paper.document}`)
  const prepare = async (own: Registers, trx: Transaction<DB>, id: string): Promise<Prepared> => {
    const item = await seenItem(own, trx, person, { register, id, definition })
    const picture = await pictureOf(trx, item)
    const find = (named: string) => findAnyItem(trx, named)
    const isValid = item.status === inUse(definition)
    // Those who hand a paper out print it before it becomes valid.
    const isPrepared = paper.states?.[item.status] === 'not-yet' && admits(person, definition.seenBy) !== undefined
    const card = await cardOfEntry(
      trx,
      {
        item,
        definition: document,
        valueAt: (pointer) =>
          pointer.includes('#') ? lookUp(pointer, item.data, find) : valueAt(pointer, item.data, new Map(), find),
        picture: picture?.name ?? null,
        isVoid: !isValid && !isPrepared,
      },
      { library, publicUrl },
    )
    return { item, card, picture }
  }
  const pictureOf = async (db: Kysely<DB>, { id, data }: Item): Promise<Prepared['picture']> => {
    const named = paper.picture && textAt(data, paper.picture)
    const file = named ? await files({ db, store }).find(named) : undefined
    return file ? { name: `picture-${id}`, file } : null
  }
  const pictures = async (db: Kysely<DB>, prepared: readonly Prepared[]): Promise<Map<string, Buffer>> => {
    const read = new Map<string, Buffer>()
    for (const { picture } of prepared)
      if (picture) read.set(picture.name, await printable(files({ db, store }), picture.file))
    return read
  }
  return { document, prepare, pictures }
}

/** A picture in the shape of the paper; a layout reads no other formats. */
async function printable(stored: ReturnType<typeof files>, file: StoredFile): Promise<Buffer> {
  const { content } = await stored.open(file, 'medium')
  return sharp(await buffer(content))
    .resize({ ...PICTURE, fit: 'cover' })
    .jpeg({ quality: 88 })
    .toBuffer()
}
