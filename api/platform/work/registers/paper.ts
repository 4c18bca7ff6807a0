import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { audit } from '../../kernel/audit/audit.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { inUse, textAt } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { admits, type Person } from '../../people/persons/person.ts'
import { cardLayout, pageOfEntry } from '../../records/documents/entry-paper.ts'
import { draw, layOut } from '../../records/documents/render.ts'
import { files } from '../../records/files/files.ts'
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

/** A paper of an entry, ready for the layout. */
interface Prepared {
  name: string
  page: object
  picture: Buffer | undefined
  made: Date
}

/**
 * The PDF of a register entry, for people who see the entry; the audit trail gets it. Throws 404 if its register prints
 * none.
 */
export async function printEntry(
  context: RegistersContext,
  dependencies: PaperDependencies,
  person: Person,
  { register, id }: { register: string; id: string },
): Promise<{ name: string; pdf: Buffer }> {
  const { name, page, picture, made } = await prepared(context, dependencies, person, { register, id, prints: true })
  return { name, pdf: layOut(cardLayout(), page, made, picture) }
}

/** One side of the same as a drawing. */
export async function drawEntry(
  context: RegistersContext,
  dependencies: PaperDependencies,
  person: Person,
  { register, id, side }: { register: string; id: string; side: 'front' | 'back' },
): Promise<string> {
  const { page, picture } = await prepared(context, dependencies, person, { register, id, side })
  return draw(cardLayout(), page, picture)
}

async function prepared(
  context: RegistersContext,
  { store, publicUrl, library }: PaperDependencies,
  person: Person,
  wanted: { register: string; id: string; side?: 'front' | 'back'; prints?: true },
): Promise<Prepared> {
  const { register, id, side, prints = false } = wanted
  const { paper, ...definition } = definitionOf(context, register)
  if (!paper) throw new BusinessError('platform.not-found')
  return inTransaction(context, async (own, trx) => {
    const item = await seenItem(own, trx, person, { register, id, definition })
    const picture = await pictureOf(files({ db: trx, store }), paper.picture && textAt(item.data, paper.picture))
    const find = (named: string) => findAnyItem(trx, named)
    const isValid = item.status === inUse(definition)
    // Those who hand a paper out print it before it becomes valid.
    const isPrepared = paper.states?.[item.status] === 'not-yet' && admits(person, definition.seenBy) !== undefined
    const page = await pageOfEntry(
      trx,
      {
        item,
        definition: known(library.documents.get(paper.document), `the document ${paper.document}`),
        valueAt: (pointer) =>
          pointer.includes('#') ? lookUp(pointer, item.data, find) : valueAt(pointer, item.data, new Map(), find),
        picture: picture !== undefined,
        isVoid: !isValid && !isPrepared,
        side,
      },
      { library, publicUrl },
    )
    if (prints)
      await audit(trx).record({
        actor: person.id,
        action: 'register-item.printed',
        object: `${register}:${id}`,
        payload: { version: item.version, status: item.status },
      })
    return { name: item.title, page, picture, made: new Date(item.changedAt) }
  })
}

/** The picture in the shape of the paper; a layout reads no other formats. */
async function pictureOf(stored: ReturnType<typeof files>, id: string | undefined): Promise<Buffer | undefined> {
  const file = id === undefined || id === '' ? undefined : await stored.find(id)
  if (!file) return undefined
  const { content } = await stored.open(file, 'medium')
  return sharp(await buffer(content))
    .resize({ ...PICTURE, fit: 'cover' })
    .jpeg({ quality: 88 })
    .toBuffer()
}
