import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditRecord, audit } from '../../api/platform/kernel/audit/audit.ts'
import { type Sealer, sealer } from '../../api/platform/features/audit/sealer.ts'
import { examineFile } from '../../api/platform/features/audit/verify.ts'
import { keyPair, keysIn } from '../../api/platform/kernel/keys.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase } from './kit/rows.ts'

const CHIEF = { role: 'Deputy Internal Auditor' }
let database: TestDatabase
let own: TestApp
let chain: Sealer
let [admin, both, auditor, assistant]: Caller[] = []
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  admin = await own.person('admin', { role: 'ADMIN' })
  both = await own.person('both', { role: 'ADMIN' }, CHIEF)
  auditor = await own.person('auditor', CHIEF)
  assistant = await own.person('assistant', { role: 'Audit Assistant Grade I' })
  const key = keyPair(generateKeyPairSync('ed25519').privateKey)
  chain = sealer({
    db: database.db,
    key,
    memory: own.auditMemory,
    onError: (error) => expect(error).toBeUndefined(),
  })
})
afterAll(async () => {
  await own?.close()
  await database?.drop()
})

const record = (one: Partial<AuditRecord>): Promise<string> =>
  database.db.transaction().execute(async (trx) => {
    const [id] = await audit(trx).recordAll([{ actor: 'system:tests', action: 'thing.done', payload: {}, ...one }])
    return id!
  })
const sealed = async () => {
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
}
const owner = (statement: string) => database.owner.pool.query(statement)
const detailsOf = async (ids: readonly string[]) => {
  const { rows } = await owner(`select entry_id::text as id from app.audit_payload where entry_id in (${ids.join()})`)
  return rows.map(({ id }) => id)
}
const ended = async (requester: string): Promise<string> => {
  const id = await aCase(database.db, requester)
  await owner(`update app.flow_case set ended_at = now(), state = 'ended' where id = '${id}'`)
  return id
}
const codeOf = async (answer: ReturnType<Caller['send']>) => {
  const { statusCode, json } = await answer
  return [statusCode, json().code]
}
const ask = (by: Caller, about: Caller, body: object) => by.send('POST', `/api/people/${about.id}/erasure`, body)
const decide = (by: Caller, id: string, how: 'confirm' | 'refuse', body?: object) =>
  by.send('POST', `/api/audit/erasures/${id}/${how}`, body)
const reason = 'They asked for it by letter'

/** Somebody with an ended case, with an entry that contains this word. */
async function somebody(name: string, word: string) {
  const person = await own.person(name)
  const caseId = await ended(person.id)
  return { person, caseId, entry: await record({ actor: auditor!.id, caseId, payload: { reason: word } }) }
}

test('erasure takes two people: details in completed cases go, the erasure itself stays, and nothing else goes', async () => {
  const { person, entry, caseId } = await somebody('kamala', 'lumbago')
  const acted = await record({ actor: person.id, caseId, payload: { reason: 'sciatica' } })
  const running = await aCase(database.db, person.id)
  const kept = [
    await record({ caseId: running, payload: { reason: 'still running' } }),
    await record({ object: `account:${person.id}`, action: 'grant.given', payload: { role: 'Dean' } }),
    await record({ actor: person.id, caseId: await ended(assistant!.id), payload: { to: person.id } }),
  ]
  await sealed()
  const about = async () => (await admin!.send('GET', `/api/people/${person.id}/erasure`)).json()
  expect(await about()).toMatchObject({ ended: 2, running: 1, runningCases: 1, account: 1, last: null })

  const wish = { reason, confirmation: 'kamala' }
  const wrong = (await ask(admin!, person, { reason, confirmation: 'Kamala' })).json()
  expect(wrong.errors).toMatchObject([{ field: '/confirmation', code: 'platform.erasure-name-differs' }])
  expect(await codeOf(ask(auditor!, person, wish))).toEqual([403, 'platform.not-allowed'])
  expect(await codeOf(ask(admin!, admin!, { reason, confirmation: 'admin' }))).toEqual([403, 'platform.erasure-own'])
  const unheard = await own.person('unheard')
  expect(await codeOf(ask(admin!, unheard, { reason, confirmation: 'unheard' }))).toEqual([
    409,
    'platform.erasure-nothing',
  ])
  const { id } = (await ask(both!, person, wish)).json()
  expect(await codeOf(ask(admin!, person, wish))).toEqual([409, 'platform.erasure-asked'])
  expect(await about()).toMatchObject({ last: { state: 'asked', askedBy: 'both' } })
  const { items: mails } = (await auditor!.send('GET', '/api/mailbox')).json()
  expect(mails[0]).toMatchObject({
    template: 'platform.mail.erasure-asked',
    body: expect.stringMatching(/both asks .* kamala/),
  })

  expect(await codeOf(decide(assistant!, id, 'confirm'))).toEqual([403, 'platform.not-allowed'])
  expect(await codeOf(decide(both!, id, 'confirm'))).toEqual([403, 'platform.erasure-own'])
  expect(await codeOf(decide(both!, id, 'refuse', { reason }))).toEqual([403, 'platform.erasure-own'])
  expect(await detailsOf([entry, acted])).toHaveLength(2)
  const done = await decide(auditor!, id, 'confirm')
  expect(done.json()).toMatchObject({ state: 'done', decidedBy: 'auditor', erased: 2, person: { name: 'kamala' } })
  expect(await detailsOf([entry, acted])).toEqual([])
  expect(await detailsOf(kept)).toHaveLength(3)
  expect(await codeOf(decide(auditor!, id, 'confirm'))).toEqual([409, 'platform.erasure-decided'])
  expect(await about()).toMatchObject({ ended: 0, running: 1, last: { state: 'done', erased: 2 } })

  await sealed()
  const entries = async (query: string) => (await auditor!.send('GET', `/api/audit/entries?${query}`)).json().items
  expect(await entries('text=sciatica')).toEqual([])
  expect(await entries(`person=${person.id}&part=acted&action=thing.done`)).toMatchObject([
    { erased: false, missing: false },
    { erased: true, missing: false, by: { name: 'kamala' } },
  ])
  expect((await entries('action=erasure.confirmed'))[0].text).toBe(
    'auditor erased the details of kamala from the audit trail',
  )
  expect((await auditor!.send('GET', '/api/audit/chain')).json()).toMatchObject({ first: null, erased: 2, missing: 0 })
})

test('details deleted in the database are told apart from erased ones and named, here and in a file', async () => {
  const { person, entry } = await somebody('piyal', 'gout')
  // People who have left ask for it most.
  await owner(`update app.account set active = false where id = '${person.id}'`)
  const { id } = (await ask(admin!, person, { reason, confirmation: 'piyal' })).json()
  expect((await decide(auditor!, id, 'confirm')).statusCode).toBe(200)
  await sealed()
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-erasure-'))
  const keys = keysIn((await auditor!.send('GET', '/api/audit/key')).body)
  const file = async () => {
    writeFileSync(join(folder, 'audit.jsonl'), (await auditor!.send('GET', '/api/audit/export')).body)
    return examineFile(join(folder, 'audit.jsonl'), keys)
  }
  try {
    const before = await file()
    expect(before).toMatchObject({ first: null, missing: 0 })
    expect(before.erased).toBeGreaterThan(0)
    const [gone, later] = [await record({ payload: { n: 1 } }), await record({ payload: { n: 2 } })]
    await sealed()
    await owner(`delete from app.audit_payload where entry_id in (${gone}, ${later})`)
    const told = {
      first: {
        harm: 'missing',
        entryId: gone,
        text: expect.stringMatching(/without an erasure, and so are those of 1/),
      },
      ...{ missing: 2, erased: before.erased },
    }
    expect((await auditor!.send('GET', '/api/audit/chain')).json()).toMatchObject(told)
    expect(await file()).toMatchObject(told)
    const [last] = (await auditor!.send('GET', '/api/audit/entries?action=thing.done&limit=1')).json().items
    expect(last).toMatchObject({ erased: false, missing: true })
    // A forged row that claims an erasure does not help: the erasure's entry lists what it erased.
    await owner(`insert into app.audit_erasure select ${gone}, act_id from app.audit_erasure where entry_id = ${entry}`)
    expect(await file()).toMatchObject(told)
    // Nor does a forged erasure under an unused number: it is in the trail and is found.
    const hidden = { erasure: randomUUID(), entries: [gone, later] }
    await owner(`
      insert into app.audit_entry (id, at, actor, action, object, commitment) overriding system value
        select -1, now() - interval '1 day', actor, action, object, '\\x00' from app.audit_entry
        where action = 'erasure.confirmed' limit 1;
      insert into app.audit_payload values (-1, '\\x00', '${JSON.stringify(hidden)}')`)
    await sealed()
    const found = await owner(`select sequence from app.audit_seal where entry_id = -1`)
    expect(found.rowCount).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the database refuses other erasures: of one’s own request, without the role, or in a running case', async () => {
  const { person, entry } = await somebody('sunil', 'asthma')
  const running = await record({ caseId: await aCase(database.db, person.id) })
  const { id } = (await ask(both!, person, { reason, confirmation: 'sunil' })).json()
  const app = (statement: string) => database.pool.query(statement)
  for (const statement of [
    `delete from app.audit_payload where entry_id = ${entry}`,
    `insert into app.audit_erasure values (${entry}, ${entry})`,
    `update app.erasure set erased = 1 where id = '${id}'`,
    `delete from app.erasure`,
  ])
    await expect(app(statement)).rejects.toMatchObject({ code: '42501' })
  const erase = async (by: Caller, entries: string[], erasure = id) => {
    const payload = { erasure, entries }
    const act = await record({ actor: by.id, action: 'erasure.confirmed', object: `account:${person.id}`, payload })
    return app(`select app.audit_erase('${id}', ${act})`).catch(({ constraint }) => constraint)
  }
  expect(await erase(both!, [entry])).toBe('erasure_four_eyes')
  expect(await erase(admin!, [entry])).toBe('erasure_by_auditor')
  expect(await erase(auditor!, [entry, running])).toBe('erasure_of_ended_cases')
  expect(await erase(auditor!, [entry], randomUUID())).toBe('erasure_has_an_act')
  // Nobody is appointed for this purpose: neither afterwards, nor before by the requester.
  expect(await erase(await own.person('late', CHIEF), [entry])).toBe('erasure_by_auditor')
  await owner(`update app.role_grant set granted_by = '${both!.id}' where account_id = '${auditor!.id}'`)
  expect(await erase(auditor!, [entry])).toBe('erasure_by_auditor')
  await owner(`update app.role_grant set granted_by = null where account_id = '${auditor!.id}'`)
  const asked = `insert into app.erasure (id, person_id, reason, asked_by) values ('${randomUUID()}', '${person.id}', 'x'`
  await expect(app(`${asked}, '${person.id}')`)).rejects.toMatchObject({ constraint: 'erasure_not_of_oneself' })
  expect(await detailsOf([entry, running])).toHaveLength(2)
})

test('the head of internal audit rejects with a reason, which is recorded; erasure may be requested again', async () => {
  const { person, entry } = await somebody('nirmala', 'eczema')
  const wish = { reason, confirmation: 'nirmala' }
  const { id } = (await ask(admin!, person, wish)).json()
  const refused = await decide(auditor!, id, 'refuse', { reason: 'A court asks for it' })
  expect(refused.json()).toMatchObject({ state: 'refused', refusal: 'A court asks for it', erased: null })
  const { items, mayDecide } = (await assistant!.send('GET', '/api/audit/erasures')).json()
  expect([items.find((one: { id: string }) => one.id === id)?.state, mayDecide]).toEqual(['refused', false])
  await sealed()
  const noted = (await auditor!.send('GET', `/api/audit/entries?person=${person.id}&part=concerned`)).json().items
  expect(noted.map(({ action, reason: why }: any) => [action, why])).toEqual([
    ['erasure.refused', 'A court asks for it'],
    ['erasure.asked', reason],
    ['thing.done', 'eczema'],
  ])
  expect(await detailsOf([entry])).toHaveLength(1)
  expect((await ask(admin!, person, wish)).statusCode).toBe(201)
})
