import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { fillsInRecord } from '../../tests/platform/kit/own-record.ts'
import { as, PASSWORD, type Person, send } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { PDF } from '../../tests/platform/kit/uploads.ts'
import { APPLICATION, aVacancy } from '../../tests/recruitment/vacancy.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from '../platform/results.ts'

const APPLICANTS = Number(process.env['BENCH_APPLICANTS'] ?? sized(5000, 3))
/** Applicants who arrive each second, whatever those before them wait for. The last hour of 5,000 has 1.4. */
const PER_SECOND = Number(process.env['BENCH_RATE'] ?? 10)
/** Applicants who come one after the other, before the others. */
const ALONE = sized(50, 2)

/**
 * The last hour before a vacancy closes, at seven times its pace: applicants arrive at random moments (open loop), sign
 * in, upload a document and send their application. Baseline: the same by some who come one after the other.
 */
const bench: Bench = {
  title: `closing-hour: ${APPLICANTS} applicants who arrive at random, ${PER_SECOND} a second, against some who come alone`,
  async run(say) {
    const { case: vacancy } = await aVacancy()
    const applicants = await someApplicants(ALONE + APPLICANTS)
    say(`${applicants.length} applicants have an account and a record`)
    const alone: Visit[] = []
    for (const name of applicants.slice(0, ALONE)) alone.push(await visit(name, vacancy.id))
    const visits: Promise<Visit>[] = []
    const began = performance.now()
    let next = 0
    for (const name of applicants.slice(ALONE)) {
      next += (-Math.log(1 - Math.random()) / PER_SECOND) * 1000
      await wait(Math.max(0, next - (performance.now() - began)))
      visits.push(visit(name, vacancy.id))
      if (visits.length % 500 === 0) say(`${visits.length} have arrived after ${seconds(began)} s`)
    }
    const crowd = await Promise.all(visits)
    say(`all have an answer after ${seconds(began)} s`)
    const sent = [...alone, ...crowd].filter(({ status }) => status === 201)
    const kept = await until(
      'the engine has begun every application',
      async () => {
        const { cases, waiting } = await begunOf(vacancy.id)
        return waiting === 0 ? cases : undefined
      },
      { seconds: 300 },
    )
    const p95 = (some: Visit[], part: 'send' | 'whole') =>
      percentile(
        some.map((one) => one[part]),
        0.95,
      )
    return {
      figures: {
        applications: sent.length,
        'answered otherwise': [...alone, ...crowd].filter(({ status }) => status !== 201 && status < 500).length,
        faults: [...alone, ...crowd].filter(({ status }) => status >= 500).length,
        lost: sent.length - kept,
        'send p95 ms': rounded(p95(crowd, 'send')),
        'send p95 ms, alone': rounded(p95(alone, 'send')),
        'crowd to alone': rounded(p95(crowd, 'send') / p95(alone, 'send')),
        'sign-in to answer p95 ms': rounded(p95(crowd, 'whole')),
      },
      promises: [
        { figure: 'answered otherwise', atMost: 0 },
        { figure: 'faults', atMost: 0 },
        { figure: 'lost', atMost: 0 },
        { figure: 'send p95 ms', atMost: 2000 },
      ],
    }
  },
}
export default bench

/** What became of one applicant: the status of the last answer, and milliseconds. */
interface Visit {
  status: number
  send: number
  whole: number
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000)

async function visit(username: string, vacancy: string): Promise<Visit> {
  const began = performance.now()
  const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD })
  const signedIn = await send('POST', '/api/auth/token', { body })
  if (signedIn.status !== 200) return over(signedIn.status)
  const token: string = signedIn.body.access_token
  const form = new FormData()
  form.set('file', new File([new Uint8Array(PDF)], 'cv.pdf', { type: 'application/pdf' }))
  const uploaded = await send('POST', '/api/files', { token, body: form })
  if (uploaded.status !== 201) return over(uploaded.status)
  const data = { vacancy, documents: [{ title: 'Curriculum vitae', file: uploaded.body.id }], declaration: true }
  const sending = performance.now()
  const answer = await send('POST', '/api/cases', { token, body: { flow: APPLICATION, data } })
  return { status: answer.status, send: performance.now() - sending, whole: performance.now() - began }

  function over(status: number): Visit {
    return { status, send: performance.now() - began, whole: performance.now() - began }
  }
}

/** Accounts of applicants with a register entry and a complete record, all like the first. */
async function someApplicants(count: number): Promise<string[]> {
  const run = randomUUID().slice(0, 6)
  const first: Person = await as('applicant.senuri')
  await fillsInRecord(first)
  await asOwner(
    `with made as (
       insert into app.account (id, username, email, name, password_hash, email_confirmed_at)
       select gen_random_uuid(), 'crowd' || $1 || n, 'crowd' || $1 || n || '@example.org', 'Crowd ' || n,
         (select password_hash from app.account where username = 'applicant.senuri'), now()
       from generate_series(1, $2::integer) as n
       returning id, username, email, name
     ), entry as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'platform/temporary-employee', 'Active', name, jsonb_build_object('salutation', 'Ms',
         'full_name', name, 'first_name', 'Crowd', 'nic', to_char(199000000000 + row_number() over (), 'FM000000000000'),
         'email', email, 'contact_no', '0771231231')
       from made returning id, data ->> 'email' as email
     ), named as (
       insert into app.role_grant (id, account_id, role) select gen_random_uuid(), id, 'Temporary Employee' from made
     ), record as (
       insert into app.own_record (account_id, record, step, data)
       select made.id, r.record, r.step, r.data from made, app.own_record r
       where r.account_id = (select id from app.account where username = 'applicant.senuri') and r.data is not null
     )
     select from entry`,
    [run, count],
  )
  await asOwner(
    `update app.account a set record_id = i.id from app.register_item i
     where a.username like 'crowd' || $1 || '%' and i.register = 'platform/temporary-employee' and i.data ->> 'email' = a.email`,
    [run],
  )
  // Each has a photograph of their own, as the record requires, and an NIC, because one NIC applies once.
  await asOwner(
    `with photo as (
       insert into app.file (id, name, content_type, size, sha256, storage_key, owner_id, attached_at)
       select gen_random_uuid(), 'me.png', 'image/png', 1, repeat('0', 64), 'files/' || gen_random_uuid(), id, now()
       from app.account where username like 'crowd' || $1 || '%' returning id, owner_id
     )
     update app.own_record r set data = r.data
       || jsonb_build_object('applicant_photo', photo.id::text, 'nic', i.data ->> 'nic')
     from photo join app.account a on a.id = photo.owner_id join app.register_item i on i.id = a.record_id
     where r.account_id = photo.owner_id and r.step = 'basic_information'`,
    [run],
  )
  return Array.from({ length: count }, (_, n) => `crowd${run}${n + 1}`)
}

async function begunOf(vacancy: string): Promise<{ cases: number; waiting: number }> {
  const [row] = await asOwner<{ cases: number; waiting: number }>(
    `select count(*)::int as cases, count(*) filter (where process_instance_id is null)::int as waiting
     from app.flow_case where flow = $1 and data ->> 'vacancy' = $2`,
    [APPLICATION, vacancy],
  )
  return row!
}
