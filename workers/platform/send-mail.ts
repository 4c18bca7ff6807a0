import Type from 'typebox'
import { lastWords, peopleAbove, peopleAt, reportUndeliverable } from '../../api/platform/work/promises/desk-people.ts'
import { askedIn } from '../../api/platform/model/definitions/mailed-question.ts'
import { askByMail } from '../../api/platform/work/cases/asking.ts'
import { worker, type WorkerContext } from './worker.ts'

const Input = Type.Object({
  /** Prefix of the text keys of the mail. */
  template: Type.String({ minLength: 1 }),
  /**
   * `desk:<id of a user task>`, `above:<id of a user task>` for the people above it, `asked:<question>` for the person
   * that the manifest asks, or principals separated by commas, of which `requester` is one.
   */
  to: Type.Optional(Type.String({ minLength: 1 })),
  /** `true`: attaches the slots of the case as a calendar. */
  calendar: Type.Optional(Type.Enum(['true', 'false'])),
})

/**
 * Writes a mail about the case, by default to its requester. In addition to the usual values, its text may contain
 * `{{reason}}`, the last reason given, and `{{refusal}}`, the last message of a failed step.
 */
export default worker({
  input: Input,
  output: Type.Object({}),
  async run(context) {
    const { variables, trx, mail, case: found, log, publicUrl } = context
    const { template, calendar, to = 'requester' } = variables
    const words = await lastWords(trx, found.id)
    const asked = await recipientAsked(context, to)
    // The answer came in meanwhile: nobody is asked again.
    if (asked && asked.path === undefined && asksForAnswer(context, template)) return {}
    const people = asked?.to ?? (await recipients(context, to))
    const values = asked?.path === undefined ? words : { ...words, link: publicUrl + asked.path }
    const sent = await mail.send({ to: people, template, values, caseId: found.id, calendar: calendar === 'true' })
    if (sent.told === 0) await reportUndeliverable(trx, { caseId: found.id, template, to, log })
    return {}
  },
})

/** Whether a mail has the link to an answer. */
const asksForAnswer = ({ library }: Context, template: string) =>
  library.texts.en[`${template}-body`]?.includes('{{link}}') === true

type Context = WorkerContext<{ template: string; to?: string; calendar?: 'true' | 'false' }>

/** The person of a question and the path of their answer; undefined if the mail goes to others. */
async function recipientAsked({ trx, library, submission, case: found }: Context, to: string) {
  const name = askedIn(to)
  if (name === undefined) return undefined
  const question = library.flows.get(found.flow)?.manifest.asks?.[name]
  if (!question) throw new Error(`the flow asks no question ${name}`)
  return (await askByMail(trx, question, { caseId: found.id, name, data: submission })) ?? { to: [], path: undefined }
}

/** The recipients in `to`: the candidates of a desk, its assignee, or the people above. */
async function recipients(context: Context, to: string): Promise<string[]> {
  const { trx, case: found } = context
  const [, which, desk] = /^(desk|above):(.+)$/.exec(to) ?? []
  // Written like the candidates of a desk: a unit that the case does not have has no recipients.
  if (desk === undefined)
    return to
      .split(',')
      .filter((principal) => !principal.endsWith(':none'))
      .map((principal) => (principal === 'requester' ? `user:${found.requesterId}` : principal))
  const task = await taskAt(context, desk)
  return which === 'above' ? peopleAbove(trx, task.id) : peopleAt(trx, task)
}

async function taskAt({ trx, case: found }: Context, desk: string) {
  const task = await trx
    .selectFrom('task')
    .select(['id', 'assignee_id', 'decided_by'])
    .where('case_id', '=', found.id)
    .where('desk', '=', desk)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  // The feed may not have created the desk's task yet; as an error, this is retried a little later.
  if (!task) throw new Error(`the case has no task at ${desk}`)
  return task
}
