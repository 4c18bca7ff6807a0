import type { Kysely } from 'kysely'
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
import { withoutSensitive } from '../../model/definitions/register.ts'
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
  /** Whether nobody may decide without signing in, because the house wants a second factor or another server vouches. */
  signInOnly: boolean
}

/** What a link shows: either that its reader has to sign in, or what they need to decide. */
export type LinkView = { state: 'sign-in'; task: string } | ({ state: 'open' } & Decision)

/** One decision, for whoever was mailed. What is sensitive stays behind the sign-in. */
export interface Decision {
  task: string
  /** Who decides by this link. */
  reader: { name: string }
  /** In whose stead. */
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
  /** What workers found out, and the names of what is shown of it. */
  facts: JsonObject
  shownFacts: string[]
  /** What was asked for, by the form that it was asked by. */
  data: JsonObject
  startForm: { key: string; hash: string }
  /** What was decided before, the oldest first. */
  decisions: { task: string; outcome: Named; reason: string | null; by: { name: string }; at: string }[]
  form: FrozenForm
  earlierDesks: TaskView['earlierDesks']
}

/*
 * Deciding one task by a link that was mailed, without signing in. Everything is done by the services that serve whoever
 * has signed in, with the rights that the reader has at this moment; looking decides nothing and leaves no trace, since
 * mail programs look at links by themselves.
 */

/** The link and its reader; throws why it opens nothing. */
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

/** The task as its reader may decide it now. To somebody it is kept from it says no more than that. */
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
    db.selectFrom('flow_case').select(['data', 'facts']).where('id', '=', task.case_id).executeTakeFirstOrThrow(),
    submissionRepository(db).listSubmissions(task.case_id),
    tasks.earlierDesks(task, language),
  ])
  const startForm = await definitions.form(forms[manifest.start]!)
  const decided = submissions.filter(
    ({ effect, desk, form_key }) => effect === 'done' && desk && form_key !== startForm.key,
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
    subject: task.subject as JsonObject,
    facts: row.facts as JsonObject,
    shownFacts: (library.flows.get(task.flow)?.manifest ?? manifest).facts ?? [],
    data: withoutSensitive(startForm.schema, row.data as JsonObject),
    startForm: { key: manifest.start, hash: startForm.hash },
    decisions: await Promise.all(
      decided.map(async (one) => {
        const { outcome, reason } = one.data as { outcome?: string; reason?: unknown }
        const { schema } = await definitions.form(one.form_hash)
        return {
          task: words.element(task.flow, one.desk!, diagram.names.get(one.desk!)),
          outcome: { key: outcome ?? '', text: outcome ? words.choice(schema, 'outcome', outcome) : '' },
          reason: typeof reason === 'string' ? reason : null,
          by: { name: one.submitter_name },
          at: one.at.toISOString(),
        }
      }),
    ),
    form,
    earlierDesks,
  }
}

/** What there is to decide. */
export async function lookAtLink(context: TaskLinkDependencies, token: string, language?: Language): Promise<LinkView> {
  const { link, person } = await opened(context, token)
  if (await wantsSignIn(context, person)) return { state: 'sign-in', task: link.taskId }
  const { permit, form } = await decidable(context, person, link.taskId)
  return { state: 'open', ...(await decision(context, person, permit, form, language)) }
}

/** Decides, once; what is wrong with the answer leaves the link as it was. */
export async function decideByLink(
  context: TaskLinkDependencies,
  token: string,
  data: unknown,
): Promise<{ state: 'done' | 'accepted' }> {
  const { tasks, sender, db } = context
  const { link, person } = await opened(context, token)
  if (await wantsSignIn(context, person)) throw new BusinessError('platform.link-sign-in')
  await decidable(context, person, link.taskId)
  const { commandId } = await tasks.decide(
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
  const standing = await sender.deliver(commandId)
  if (standing === 'refused') throw taken(await taskRepository(db).get(link.taskId))
  return { state: standing === 'done' ? 'done' : 'accepted' }
}
