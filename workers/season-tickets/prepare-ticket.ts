import Type from 'typebox'
import { TICKETS, TICKET_NUMBER, approvedSeason, findPreparedTicket } from '../../api/season-tickets/tickets.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/**
 * Enters the ticket of the case under the next number, in the name of the student. One that replaces a lost ticket is
 * for the same season and route.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ ticketNumber: Type.String() }),
  async run({ trx, registers, numbers, facts, submission, case: { requesterId, reference }, now }) {
    if ((await findPreparedTicket(trx, reference)) !== undefined) throw new Error('a ticket is in preparation already')
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const name = textAt(student.data, '/name_with_initials') ?? textAt(student.data, '/full_name')
    const number = await numbers.written(TICKETS, TICKET_NUMBER, now)
    const lost = textAt(submission, '/ticket')
    const journey =
      lost === undefined
        ? await wanted({ trx, registers }, submission)
        : journeyOf((await registers.item(TICKETS, lost)).data)
    await registers.create(
      TICKETS,
      {
        number,
        student: student.id,
        reg_no: known(textAt(student.data, '/reg_no'), 'the registration number'),
        name: known(name, 'the name of the student'),
        ...journey,
        case_reference: reference,
      },
      null,
      { status: 'In Preparation' },
    )
    await facts({ ticketNumber: number })
    return { ticketNumber: number }
  },
})

type Context = Pick<WorkerContext<object>, 'trx' | 'registers'>
type Data = WorkerContext<object>['submission']

/** The fields of a ticket that say what it is for, and not whose it is. */
const JOURNEY = ['season', 'season_name', 'transport', 'station', 'station_name', 'route', 'km', 'from', 'until']

const journeyOf = (data: Data): Data => Object.fromEntries(JOURNEY.map((field) => [field, data[field] ?? null]))

/** The season that a request names as it was last approved, and its station and route as they are now. */
async function wanted({ trx, registers }: Context, { season, transport, station, route }: Data): Promise<Data> {
  const find = (register: string, id: unknown) => registers.item(`season-tickets/${register}`, String(id))
  const [period, from, line] = [
    await approvedSeason(trx, String(season)),
    await find('station', station),
    await find('route', route),
  ]
  const names = { season_name: period.title, station_name: from.data['name_en'] ?? null }
  return journeyOf({ ...period.data, ...names, season, transport, station, route, km: line.data['km'] ?? null })
}
