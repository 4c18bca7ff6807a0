import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import { submissionRepository } from '../../work/rows/submissions.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import { factorsOf } from '../../people/identity/second-factor.ts'
import { textAt } from '../../model/definitions/register.ts'
import { withoutSensitive } from '../../model/definitions/sensitive.ts'
import { type Permit, taken } from '../../work/tasks/permission.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { TaskView } from '../../work/tasks/read.ts'
import { type TaskLink, taskLinks } from './links.ts'

export interface TaskLinkDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  tasks: Tasks
  sender: Pick<Sender, 'deliver'>
  /** Whether decisions need a sign-in, because a second factor is mandatory or an identity server vouches. */
  signInOnly: boolean
}

/** What a link opens: a hint to sign in, or the decision. */
export type LinkView = { state: 'sign-in'; task: string } | ({ state: 'open' } & Decision)

/** One decision, for the reader of the mail. Sensitive fields need a sign-in. */
export interface Decision {
  task: string
  /** The person the link decides for. */
  reader: { name: string }
  /** The absent person. */
  for: { name: string } | null
  reference: string
  flow: string
  flowTitle: string
  title: string
  question: string | null
  requester: { name: string; registered: boolean }
  status: Named
  createdAt: string
  dueAt: string | null
  subject: JsonObject
  /** Results of workers, and the names of those that are shown. */
  facts: JsonObject
  shownFacts: string[]
  factUnits: Record<string, string>
  /** The request, with the form it was sent with. */
  data: JsonObject
  startForm: { key: string; hash: string }
  /** Earlier decisions, oldest first. */
  decisions: { task: string; outcome: Named; reason: string | null; by: { name: string }; at: string }[]
  form: FrozenForm
  earlierDesks: TaskView['earlierDesks']
}

/*
 * Decides one task with a mailed link, without signing in. It uses the same services as signed-in people, with the
 * reader's present rights. Opening the link decides nothing and leaves no trace, because mail programs open links by
 * themselves.
 */

/** The link and its reader; throws if it is not valid. */
async function opened({ db }: TaskLinkDependencies, token: string): Promise<{ link: TaskLink; person: Person }> {
  const link = await taskLinks(db).find(token)
  if (!link) throw new BusinessError('platform.link-over')
  const person = await findPerson(db, link.accountId)
  if (link.usedAt) throw new BusinessError('platform.link-used', { at: link.usedAt.toISOString() })
  if (!link.good || !person) throw new BusinessError('platform.link-over')
  return { link, person }
}

async function wantsSignIn({ signInOnly, db }: TaskLinkDependencies, person: Person): Promise<boolean> {
  if (signInOnly) return true
  const { totp, passkeys } = await factorsOf(db, person.id)
  return totp || passkeys > 0
}

/** The task, if its reader may decide it now; otherwise throws without details of the task. */
async function decidable(
  { tasks }: TaskLinkDependencies,
  person: Person,
  id: string,
): Promise<{ permit: Permit; form: FrozenForm }> {
  try {
    return await tasks.decidable(person, id)
  } catch (error) {
    const hidden = error instanceof BusinessError && ['platform.not-found', 'platform.not-allowed'].includes(error.code)
    throw hidden ? new BusinessError('platform.link-not-yours') : error
  }
}

function readData(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('flow_case')
    .select((eb) => [
      eb.ref('data').$castTo<JsonObject>().as('data'),
      eb.ref('facts').$castTo<JsonObject>().as('facts'),
    ])
    .where('id', '=', caseId)
    .executeTakeFirstOrThrow()
}

async function decision(
  { library, definitions, db, tasks }: TaskLinkDependencies,
  person: Person,
  { task, standsFor }: Permit,
  form: FrozenForm,
  language?: Language,
): Promise<Decision> {
  const words = wordsOf(library, language)
  const [{ manifest, forms, diagram }, row, submissions, earlierDesks] = await Promise.all([
    definitions.get(task.process_definition_id),
    readData(db, task.case_id),
    submissionRepository(db).listSubmissions(task.case_id),
    tasks.earlierDesks(task, language),
  ])
  const startForm = await definitions.form(known(forms[manifest.start], 'the start form'))
  const shown = library.flows.get(task.flow)?.manifest ?? manifest
  const decided = submissions.flatMap(({ effect, desk, ...one }) =>
    effect === 'done' && desk && one.form_key !== startForm.key ? [{ ...one, desk }] : [],
  )
  return {
    task: task.id,
    reader: { name: person.name },
    for: standsFor && { name: standsFor.name },
    reference: task.reference,
    flow: task.flow,
    flowTitle: words.flowTitle(manifest),
    title: words.caseTitle(manifest, task.subject),
    question: words.question(manifest, task.desk, { requester: task.requester_name, subject: task.subject }),
    requester: { name: task.requester_name, registered: task.requester_registered },
    status: words.status(manifest, 'status', task.status),
    createdAt: task.created_at.toISOString(),
    dueAt: task.due_at?.toISOString() ?? null,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server writes subjects of cases, as objects
    subject: task.subject as JsonObject,
    facts: row.facts,
    shownFacts: shown.facts ?? [],
    factUnits: shown.factUnits ?? {},
    data: withoutSensitive(startForm.schema, row.data),
    startForm: { key: manifest.start, hash: startForm.hash },
    decisions: await Promise.all(
      decided.map(async (one) => {
        const outcome = textAt(one.data, '/outcome')
        const { schema } = await definitions.form(one.form_hash)
        return {
          task: words.element(task.flow, one.desk, diagram.names.get(one.desk)),
          outcome: { key: outcome ?? '', text: outcome ? words.choice(schema, 'outcome', outcome) : '' },
          reason: textAt(one.data, '/reason') ?? null,
          by: { name: one.submitter_name },
          at: one.at.toISOString(),
        }
      }),
    ),
    form,
    earlierDesks,
  }
}

export async function lookAtLink(context: TaskLinkDependencies, token: string, language?: Language): Promise<LinkView> {
  const { link, person } = await opened(context, token)
  if (await wantsSignIn(context, person)) return { state: 'sign-in', task: link.taskId }
  const { permit, form } = await decidable(context, person, link.taskId)
  return { state: 'open', ...(await decision(context, person, permit, form, language)) }
}

/** Decides, once; an invalid answer does not use up the link. */
export async function decideByLink(
  context: TaskLinkDependencies,
  token: string,
  data: unknown,
): Promise<{ state: 'done' | 'accepted' }> {
  const { tasks, sender, db } = context
  const { link, person } = await opened(context, token)
  if (await wantsSignIn(context, person)) throw new BusinessError('platform.link-sign-in')
  await decidable(context, person, link.taskId)
  const { command, announced } = await tasks.decide(
    person,
    link.taskId,
    { data },
    {
      more: { through: 'mail' },
      async within(trx) {
        if (!(await taskLinks(trx).use(link.id))) throw new BusinessError('platform.link-over')
      },
    },
  )
  const [delivered] = await Promise.all([sender.deliver(command), announced])
  if (delivered === 'refused') throw taken(await taskRepository(db).get(link.taskId))
  return { state: delivered === 'done' ? 'done' : 'accepted' }
}
