import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { PASSWORD, as, type Case, send } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { PDF } from '../../tests/platform/kit/uploads.ts'
import { APPLICATION, aVacancy } from '../../tests/recruitment/vacancy.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from '../platform/results.ts'

const APPLICANTS = sized(100, 2)
const VACANCIES = sized(50, 2)
/** Applications per second; 5,000 in an hour are 1.4 a second, most of them in the last minutes. */
const RATE = 20

/**
 * The last minutes before vacancies close: 5,000 applications arrive at a fixed rate, whether or not earlier ones are
 * answered, so that waiting counts. Each applicant applies once for each vacancy, over HTTP, with a file.
 */
const bench: Bench = {
  title: `closing-hour: ${APPLICANTS * VACANCIES} applications at ${RATE} a second, open loop`,
  async run(say) {
    const vacancies: Case[] = []
    while (vacancies.length < VACANCIES) vacancies.push((await aVacancy()).case)
    say(`${VACANCIES} vacancies are open`)
    const applicants = await someApplicants(APPLICANTS)
    say(`${APPLICANTS} applicants are signed in`)
    const answers = await arriving(
      vacancies.flatMap((vacancy) => applicants.map((applicant) => () => applies(applicant, vacancy))),
    )
    const taken = answers.filter(({ status }) => status === 201)
    const ids = vacancies.map(({ id }) => id)
    const kept = await until('every application is with the engine', async () => {
      const [row] = await asOwner<{ count: string; waiting: string }>(
        `select count(*) as count, count(*) filter (where state <> 'running') as waiting
         from app.flow_case where flow = $1 and data ->> 'vacancy' = any($2)`,
        [APPLICATION, ids],
      )
      return row?.waiting === '0' && row
    })
    const times = answers.map(({ ms }) => ms)
    return {
      figures: {
        'applications sent': answers.length,
        lost: taken.length - Number(kept.count),
        'answers that are no 201': answers.length - taken.length,
        'server errors': answers.filter(({ status }) => status >= 500).length,
        'p50 ms': rounded(percentile(times, 0.5)),
        'p95 ms': rounded(percentile(times, 0.95)),
        'slowest ms': rounded(Math.max(...times)),
      },
      promises: [
        { figure: 'lost', atMost: 0 },
        { figure: 'answers that are no 201', atMost: 0 },
        { figure: 'server errors', atMost: 0 },
        { figure: 'p95 ms', atMost: 2000 },
      ],
    }
  },
}
export default bench

interface Applicant {
  token: string
  /** The uploaded curriculum vitae. */
  file: string
}

/** New applicants with an entry in the register, signed in, each with a file. */
async function someApplicants(count: number): Promise<Applicant[]> {
  const run = randomBytes(3).toString('hex')
  const hr = await as('hr.ar')
  const made: Applicant[] = []
  for (let n = 1; n <= count; n += 1) {
    const username = `closing${run}${n}`
    const data = {
      full_name: `Applicant ${run}`,
      nic: `1990${String(n).padStart(8, '0')}`,
      email: `${username}@example.org`,
    }
    const entry = await hr.ok<{ id: string }>('POST', '/api/registers/platform/temporary-employee/items', { data })
    await asOwner(
      `with made as (
         insert into app.account (id, username, email, name, record_id, password_hash, email_confirmed_at)
         select gen_random_uuid(), $1::text, $1::text || '@example.org', 'Applicant', $2,
           (select password_hash from app.account where username = 'applicant.senuri'), now()
         returning id)
       insert into app.role_grant (id, account_id, role, reason, origin)
       select gen_random_uuid(), id, 'Temporary Employee', 'Bench', 'seed' from made`,
      [username, entry.id],
    )
    const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD })
    const token = (await send('POST', '/api/auth/token', { body })).body.access_token as string
    const form = new FormData()
    form.set('file', new File([new Uint8Array(PDF)], 'cv.pdf', { type: 'application/pdf' }))
    made.push({ token, file: (await send('POST', '/api/files', { token, body: form })).body.id as string })
  }
  return made
}

function applies({ token, file }: Applicant, vacancy: Case) {
  const data = {
    vacancy: vacancy.id,
    qualifications: [{ qualification: 'Bachelor of Music', institution: 'Academy of Music', year: 2018 }],
    documents: [{ title: 'Curriculum vitae', file }],
    declaration: true,
  }
  const headers = { 'idempotency-key': randomUUID() }
  return send('POST', '/api/cases', { token, body: { flow: APPLICATION, data }, headers })
}

/** Sends one after the other at the fixed rate; each answer's time counts from when it was due. */
async function arriving(
  sends: readonly (() => Promise<{ status: number }>)[],
): Promise<{ status: number; ms: number }[]> {
  const begun = performance.now()
  return Promise.all(
    sends.map(async (one, at) => {
      const due = (at * 1000) / RATE
      await wait(Math.max(0, begun + due - performance.now()))
      const status = await one().then(
        (answer) => answer.status,
        () => 599,
      )
      return { status, ms: performance.now() - begun - due }
    }),
  )
}
