import { type Static, Type } from 'typebox'
import { openings } from '../../work/cases/opening.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { formOfHash } from '../../model/deployed/forms.ts'
import { validatorModule } from '../../model/forms/check.ts'
import { languages, type Library, type Manifest } from '../../model/library/library.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { type Person, admits, admitsToStart } from '../../people/persons/person.ts'
import type { App } from '../../http/app.ts'
import { Offered, announcementRoute } from './announcements.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Form, FormData, Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Hash = Type.Object({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const FOREVER = 'public, max-age=31536000, immutable'

const Definition = component(
  'ProcessDefinition',
  Type.Object({
    id: Type.String(),
    flow: Type.String(),
    processKey: Type.String(),
    version: Type.Integer(),
    deployedAt: Moment,
  }),
)
const DefinitionId = Type.Object({ id: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9._:-]+$' }) })

/** A flow that the reader may start. */
const FlowToStart = Type.Object({
  flow: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  startPage: Type.String({ description: 'Route of the page that starts it' }),
  forOthers: Type.Optional(
    Type.Object(
      { from: Type.Array(Type.String()), only: Type.Boolean() },
      { description: 'Registers of the people you may start it for, and whether only for others' },
    ),
  ),
  search: Type.Array(Type.String(), {
    description: 'Search terms in every language: title, description and everyday words',
  }),
})

export interface FlowDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  rules: ReadonlyMap<string, Rules>
}

/** Flows that the reader can start, their forms, and the deployed diagrams. */
export function flowRoutes(app: App, dependencies: FlowDependencies): void {
  startRoutes(app, dependencies)
  announcementRoute(app, dependencies)
  formRoutes(app, dependencies)
  definitionRoutes(app, dependencies)
}

/** Flows that the reader can start. */
function startRoutes(app: App, { db, library, definitions, rules }: FlowDependencies): void {
  const opening = openings({ db, library, definitions, rules })

  app.get(
    '/api/flows',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listFlows',
        tags: ['flows'],
        summary: 'List the flows that you may start',
        response: {
          200: Type.Object({
            items: Type.Array(FlowToStart),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const person = personOf(request)
      const own = await findOwnEntry(db, person.id)
      return { items: flowsToStart(library, person, own) }
    },
  )

  app.get(
    '/api/flows/:area/:flow',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getFlow',
        tags: ['flows'],
        summary: 'Get a flow and its start form, in the newest deployed version',
        params: Type.Object({ area: Type.String({ maxLength: 60 }), flow: Type.String({ maxLength: 60 }) }),
        response: {
          200: Type.Object({
            flow: Type.String(),
            title: Type.String(),
            description: Type.Optional(Type.String()),
            manifest: FormData,
            form: Form,
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => {
      const flow = `${request.params.area}/${request.params.flow}`
      const { manifest, forms } = await definitions.latest(flow)
      const hash = forms[manifest.start]
      if (hash === undefined) throw new Error(`the start form of ${flow} was not frozen with it`)
      const { title, description } = manifest
      return {
        flow,
        title,
        ...(description === undefined ? {} : { description }),
        manifest: { ...manifest },
        form: await definitions.form(hash),
      }
    },
  )

  app.get(
    '/api/flows/:area/:flow/opening',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getFlowOpening',
        tags: ['flows'],
        summary: 'Get what a flow offers you: what you can request, why not, and what waits for you',
        params: Type.Object({ area: Type.String({ maxLength: 60 }), flow: Type.String({ maxLength: 60 }) }),
        response: {
          200: Type.Object({
            message: Nullable(Type.String({ description: 'Why you cannot request it' })),
            items: Nullable(
              Type.Array(Offered, {
                description: 'What you can request now, if there is one case per register item',
              }),
            ),
            unfit: Type.Array(Type.Object({ id: Id, title: Type.String(), reason: Type.String() }), {
              description: 'What is not for you or opens later, and why',
            }),
            waiting: Type.Array(
              Type.Object({
                task: Id,
                name: Type.String(),
                reference: Type.String(),
                title: Type.String(),
                dueAt: Nullable(Moment),
              }),
              { description: 'Your cases that wait for you' },
            ),
            already: Type.Array(Type.Object({ id: Id, reference: Type.String(), title: Type.String() }), {
              description: 'Your other cases, which prevent you from requesting the same again',
            }),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => opening(personOf(request), `${request.params.area}/${request.params.flow}`, languageOf(request)),
  )
}

/** Forms, including those of running cases. */
function formRoutes(app: App, { library, definitions }: FlowDependencies): void {
  const formOf = (hash: string) => formOfHash({ library, definitions }, hash)

  // Forms are addressed by their hash and never change. They are public, because the browser imports the validator
  // without a token.
  app.get(
    '/api/forms/:hash',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getForm',
        tags: ['flows'],
        summary: 'Get a form by its hash',
        params: Hash,
        response: { 200: Form, ...refusals(404) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', FOREVER)
      return formOf(request.params.hash)
    },
  )

  app.get(
    '/api/forms/:hash/validator.js',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getFormValidator',
        tags: ['flows'],
        summary: 'Get a module whose `check(data)` returns the same field errors as the server',
        params: Hash,
        response: { 200: { content: { 'text/javascript': { schema: Type.String() } } }, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { schema } = await formOf(request.params.hash)
      return reply.header('cache-control', FOREVER).type('text/javascript; charset=utf-8').send(validatorModule(schema))
    },
  )

  app.get(
    '/api/public/forms/:area/:name',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getPublicForm',
        tags: ['public'],
        summary: 'Get the current version of a public form',
        params: Type.Object({ area: Type.String({ maxLength: 60 }), name: Type.String({ maxLength: 60 }) }),
        response: { 200: Form, ...refusals(404) },
      },
    },
    async ({ params }, reply) => {
      const form = library.forms.get(`${params.area}/${params.name}`)
      if (!form?.schema['x-public']) throw new BusinessError('platform.not-found')
      reply.header('cache-control', 'public, max-age=60')
      return form
    },
  )
}

function definitionRoutes(app: App, { definitions }: FlowDependencies): void {
  app.get(
    '/api/process-definitions',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listProcessDefinitions',
        tags: ['process definitions'],
        summary: 'List all deployed versions of all flows, newest first for each',
        response: { 200: Type.Object({ items: Type.Array(Definition) }), ...refusals(401) },
      },
    },
    async () => ({ items: await definitions.list() }),
  )

  app.get(
    '/api/process-definitions/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getProcessDefinition',
        tags: ['process definitions'],
        summary: 'Get a deployed version',
        params: DefinitionId,
        response: { 200: Definition, ...refusals(401, 404) },
      },
    },
    async (request) => definitions.get(request.params.id),
  )

  app.get(
    '/api/process-definitions/:id/xml',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getProcessDefinitionXml',
        tags: ['process definitions'],
        summary: 'Get the diagram of a deployed version',
        params: DefinitionId,
        response: { 200: { content: { 'application/xml': { schema: Type.String() } } }, ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const xml = await definitions.xml(request.params.id)
      return reply.header('cache-control', 'private, max-age=86400').type('application/xml; charset=utf-8').send(xml)
    },
  )
}

/** The flows that a person may start, for themselves or for people of the registers that a flow names. */
function flowsToStart(
  { flows, texts }: Library,
  person: Person,
  own: { register: string; status: string } | undefined,
): Static<typeof FlowToStart>[] {
  const oneself = (manifest: Manifest) =>
    !manifest.batch?.only &&
    admitsToStart(person, manifest) !== undefined &&
    (manifest.requester === undefined || manifest.requester.register === own?.register) &&
    (manifest.requester?.statuses?.includes(own?.status ?? '') ?? true)
  return [...flows.values()].flatMap(({ key, manifest }) => {
    const { title, description, startPage, onBehalf } = manifest
    const from = onBehalf && admits(person, onBehalf.by) !== undefined ? onBehalf.from : undefined
    if (!from && !oneself(manifest)) return []
    const words = [title, description ?? title, key.replace('/', '.search-words.')]
    return {
      flow: key,
      title,
      startPage: startPage ?? `/start/${key}`,
      search: languages.flatMap((language) => words.flatMap((text) => texts[language][text] ?? [])),
      ...(description !== undefined && { description }),
      ...(from && { forOthers: { from, only: !oneself(manifest) } }),
    }
  })
}
