import Type from 'typebox'
import { readUnits } from '../../api/platform/access/units.ts'
import { isHeld } from '../../api/platform/feed/principals.ts'
import { worker, type WorkerContext } from './worker.ts'

const Input = Type.Object({
  /** Prefix of the text keys of the mail. */
  template: Type.String({ minLength: 1 }),
  /** `requester`, `desk:<id of a user task>`, `above:<id of a user task>` for who stands above it, or principals with commas. */
  to: Type.Optional(Type.String({ minLength: 1 })),
  /** `true`: the slots of the case come along as a calendar. */
  calendar: Type.Optional(Type.Enum(['true', 'false'])),
})

/**
 * Writes a mail about the case, by default to its requester. Beside what every mail about a case knows, its text may
 * name `{{reason}}`, the last reason that anybody gave, and `{{refusal}}`, what a step said when it last could not be done.
 */
export default worker({
  input: Input,
  output: Type.Object({}),
  async run(context) {
    const { variables, mail, submissions, case: found } = context
    const reason = submissions.findLast(({ data }) => typeof data['reason'] === 'string')?.data['reason'] ?? ''
    const to = await recipients(context, variables.to ?? 'requester')
    const { template, calendar } = variables
    const values = { reason, refusal: await lastRefusal(context) }
    const sent = await mail.send({ to, template, values, caseId: found.id, calendar: calendar === 'true' })
    if (sent.told === 0) await nobody(context)
    return {}
  },
})

/** The words of the last expected error that a step of the case came to; '' where none did. */
async function lastRefusal({ trx, case: found }: Context): Promise<string> {
  const row = await trx
    .selectFrom('worker_run')
    .select('error_message')
    .where('case_id', '=', found.id)
    .where('outcome', '=', 'business-error')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.error_message ?? ''
}

type Context = WorkerContext<{ template: string; to?: string; calendar?: 'true' | 'false' }>

/** Whom `to` means: those who may act at a desk, who holds its task, or who stands above them. */
async function recipients(context: Context, to: string): Promise<string[]> {
  const { trx, case: found } = context
  if (to === 'requester') return [`user:${found.requesterId}`]
  const [, which, desk] = /^(desk|above):(.+)$/.exec(to) ?? []
  // Drawn like the candidates of a desk: of a unit that the case does not have, there is nobody.
  if (desk === undefined) return to.split(',').filter((principal) => !principal.endsWith(':none'))
  const task = await taskAt(context, desk)
  const candidates = await trx
    .selectFrom('task_candidate')
    .select(['principal', 'stands_in_for'])
    .where('task_id', '=', task.id)
    .execute()
  if (which === 'above') return above(trx, candidates)
  const holder = task.decided_by ?? task.assignee_id
  return holder ? [`user:${holder}`] : candidates.map(({ principal }) => principal)
}

/** Who stands above those whom a task is drawn for: whoever would stand in for each, and an administrator where nobody would. */
async function above(
  trx: Context['trx'],
  candidates: readonly { principal: string; stands_in_for: string | null }[],
): Promise<string[]> {
  const units = await readUnits(trx)
  const found = new Set<string>()
  for (const { principal, stands_in_for } of candidates) {
    if (stands_in_for !== null || principal.startsWith('user:')) continue
    for (const next of units.standIns(principal))
      if (await isHeld(trx, [next])) {
        found.add(next)
        break
      }
  }
  return found.size > 0 ? [...found] : ['ADMIN']
}

async function taskAt({ trx, case: found }: Context, desk: string) {
  const task = await trx
    .selectFrom('task')
    .select(['id', 'assignee_id', 'decided_by'])
    .where('case_id', '=', found.id)
    .where('desk', '=', desk)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  // The desk's task may not have arrived from the engine yet: as a fault, this is tried again a little later.
  if (!task) throw new Error(`the case has no task at ${desk}`)
  return task
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
