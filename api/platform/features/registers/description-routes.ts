import { namedBy } from '../../model/definitions/register.ts'
import { type Readable, fieldAt, readableBy } from '../../work/registers/own.ts'
import { Type } from 'typebox'
import { type Person, admits } from '../../people/persons/person.ts'
import { soonest } from '../../work/registers/expiring.ts'
import { registersService } from '../../work/registers/service.ts'
import { type RegisterView, visible } from '../../work/registers/views.ts'
import type { Library } from '../../model/library/library.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { FormData, Key, refusals, RegisterName } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { Texts, type RegisterRouteDependencies } from './schemas.ts'

const Register = component(
  'RegisterDescription',
  Type.Object({
    register: Type.String(),
    title: Type.String({ description: 'Text key' }),
    titleField: Type.String(),
    codeField: Type.Optional(Type.String()),
    statuses: Texts,
    search: Texts,
    filters: Texts,
    columns: Texts,
    mayCreate: Type.Boolean(),
    mayImport: Type.Boolean(),
    clears: Type.Optional(
      Type.Boolean({
        description: 'Its items are people who are cleared by you: `owed` lists what each of yours still has',
      }),
    ),
    ownBy: Type.Optional(Type.Array(Type.String(), { description: 'Fields that name the person an item is about' })),
    entrustedOnly: Type.Optional(
      Type.Boolean({ description: 'Of the items of others you see those entrusted to you: list with `entrusted`' }),
    ),
    writesOwn: Type.Boolean({ description: 'You add and change the items about you, and no others' }),
    batches: Type.Array(Type.String(), { description: 'Flows that can be opened for everybody an item is meant for' }),
    related: Type.Array(
      Type.Object({
        register: Key,
        field: Type.String({ description: 'Field of that register that refers to an item of this one' }),
        title: Type.String({ description: 'Text key' }),
        columns: Type.Optional(
          Type.Array(Type.String(), { description: 'Fields shown beside the title of each item' }),
        ),
        picture: Type.Optional(Type.String({ description: 'A field with a picture of each item' })),
        states: Type.Optional(Type.Boolean({ description: 'Items of all statuses are shown, not only those in use' })),
        wanted: Type.Optional(Type.Boolean({ description: 'Each item should have one; `lacks` finds those without' })),
      }),
    ),
    held: Type.Array(Type.String(), { description: 'Statuses that only cases end' }),
    final: Type.Array(Type.String(), { description: 'Statuses after which an item can no longer change' }),
    settable: Type.Array(Type.String(), { description: 'Statuses that you may set' }),
    inBulk: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Statuses that you may set for many items at once, each with the statuses of items that get it',
    }),
    entryFlows: Type.Array(Type.Object({ flow: Key, title: Type.String({ description: 'Text key' }) }), {
      description: 'Flows that you may open for each of many items',
    }),
    gatherFlows: Type.Array(
      Type.Object({
        flow: Key,
        title: Type.String({ description: 'Text key' }),
        fills: Type.Array(Type.String(), { description: 'Fields of its form that the items fill in' }),
      }),
      { description: 'Flows that you may start for many items at once' },
    ),
    saved: Type.Optional(Type.String({ description: 'Text key of what is said once an item is saved' })),
    versions: Type.Optional(
      Type.Object(
        { next: Type.String(), clears: Type.Array(Type.String()), compare: Type.Optional(Type.String()) },
        {
          description:
            'How a new item is made from an item: the field that counts versions, those that are entered again',
        },
      ),
    ),
    fixed: Type.Boolean({ description: 'Items are created by the system; people change only their status' }),
    corrected: Type.Optional(
      Type.Array(Type.String(), { description: 'Fields of a fixed register that people change' }),
    ),
    reports: Type.Array(
      Type.Object({ report: Key, field: Type.String(), title: Type.String({ description: 'Text key' }) }),
      {
        description: 'Reports on an item, each with the name of its filter for the item',
      },
    ),
    expires: Type.Optional(
      Type.Object({
        until: Type.String({ description: 'Field with the last day of an item' }),
        soon: Type.Integer({ description: 'Days before it from which an item ends soon' }),
      }),
    ),
    prints: Type.Boolean({ description: 'Each item has a paper: `/items/{id}/paper.pdf`' }),
    sheets: Type.Boolean({ description: 'Chosen items can be printed together: `/sheet.pdf`' }),
    item: FormData,
  }),
)

/** The registers, and their fields. */
export function descriptionRoutes(app: App, { db, library }: RegisterRouteDependencies): void {
  const service = registersService({ db, library })
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`

  app.get(
    '/api/registers',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listRegisters',
        tags: ['registers'],
        summary: 'List the registers that you may see',
        response: { 200: Type.Object({ items: Type.Array(Register) }), ...refusals(401) },
      },
    },
    async (request) => {
      const person = personOf(request)
      const readable = await readableBy(db, library, person)
      return { items: service.list(person).map((one) => shown(library, one, person, readable)) }
    },
  )

  app.get(
    '/api/registers/:area/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getRegister',
        tags: ['registers'],
        summary: 'Get a register with the schema of its items',
        params: Type.Object(RegisterName),
        response: { 200: Register, ...refusals(401, 404) },
      },
    },
    async (request) => {
      const person = personOf(request)
      const view = await service.get(person, keyOf(request.params))
      return shown(library, view, person, await readableBy(db, library, person))
    },
  )
}

function shown(
  { documents, registers }: Library,
  { definition, ...view }: RegisterView,
  reader: Person,
  readable: Readable,
) {
  const { title, titleField, codeField, statuses, search = [], filters = [], columns = [], item } = definition
  const {
    final = [],
    held = [],
    fixed = false,
    corrected,
    saved,
    own,
    paper,
    expires,
    versions,
    clearedBy,
  } = definition
  return {
    ...view,
    ...{ title, titleField, statuses, search, columns, final, held, fixed, item },
    filters: filters.filter((pointer) => {
      const named = fieldAt(item, pointer)?.['x-register'] ?? ''
      const other = registers.get(named)
      return other === undefined || visible(reader, other) || readable.theirs(named)
    }),
    ...{
      prints: paper !== undefined,
      sheets: paper !== undefined && documents.get(paper.document)?.sheet !== undefined,
    },
    ...(codeField === undefined ? {} : { codeField }),
    ...(corrected === undefined ? {} : { corrected }),
    ...(saved === undefined ? {} : { saved }),
    ...(clearedBy && admits(reader, clearedBy) !== undefined ? { clears: true } : {}),
    ...(!visible(reader, definition) && readable.entrusted(definition) ? { entrustedOnly: true } : {}),
    ...(versions === undefined ? {} : { versions }),
    ...(own === undefined ? {} : { ownBy: namedBy(own) }),
    ...(expires === undefined ? {} : { expires: { until: expires.until, soon: soonest(expires) } }),
  }
}
