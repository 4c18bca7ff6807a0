import Type from 'typebox'
import { worker, type WorkerContext } from './worker.ts'

const Input = Type.Object({
  /** Prefix of the text keys of the mail. */
  template: Type.String({ minLength: 1 }),
  /** `requester`, `desk:<id of a user task>`, or a principal. */
  to: Type.Optional(Type.String({ minLength: 1 })),
})

/**
 * Writes a mail about the case, by default to its requester. Beside what every mail about a case knows, its text may
 * name `{{reason}}`: the last reason that anybody gave.
 */
export default worker({
  input: Input,
  output: Type.Object({}),
  async run(context) {
    const { variables, mail, submissions, case: found } = context
    const reason = submissions.findLast(({ data }) => typeof data['reason'] === 'string')?.data['reason'] ?? ''
    const to = await recipients(context, variables.to ?? 'requester')
    const sent = await mail.send({ to, template: variables.template, values: { reason }, caseId: found.id })
    if (sent.told === 0) await nobody(context)
    return {}
  },
})

type Context = WorkerContext<{ template: string; to?: string }>

/** Whom `to` means: those who may act at a desk, or who holds its task. */
async function recipients({ trx, case: found }: Context, to: string): Promise<string[]> {
  if (to === 'requester') return [`user:${found.requesterId}`]
  if (!to.startsWith('desk:')) return [to]
  const desk = to.slice('desk:'.length)
  const task = await trx
    .selectFrom('task')
    .select(['id', 'assignee_id', 'decided_by'])
    .where('case_id', '=', found.id)
    .where('desk', '=', desk)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  // The desk's task may not have arrived from the engine yet: as a fault, this is tried again a little later.
  if (!task) throw new Error(`the case has no task at ${desk}`)
  const holder = task.decided_by ?? task.assignee_id
  if (holder) return [`user:${holder}`]
  const candidates = await trx.selectFrom('task_candidate').select('principal').where('task_id', '=', task.id).execute()
  return candidates.map(({ principal }) => principal)
}

/** A mail that nobody can get stops no case, but somebody has to know. */
async function nobody({ trx, case: found, variables, log }: Context): Promise<void> {
  const message = `nobody to send ${variables.template} to: ${variables.to ?? 'requester'}`
  log.warn(message)
  await trx
    .insertInto('incident')
    .values({
      id: `mail-to-nobody:${found.id}:${variables.template}`,
      case_id: found.id,
      kind: 'mail-to-nobody',
      message,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
