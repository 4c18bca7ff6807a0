import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { pino } from 'pino'
import { getDocumentProxy } from 'unpdf'
import { documents, documentsOf } from '../../api/platform/records/documents/documents.ts'
import { fileOf, findVerified, makeVerifiable } from '../../api/platform/records/documents/verification.ts'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { resolveExternalAccount } from '../../api/platform/features/accounts/external-accounts.ts'
import { openSession } from '../../api/platform/people/identity/sessions.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const LETTER = 'resignations/acceptance-letter'

let database: TestDatabase
let requester: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
})
afterAll(() => database.drop())

/** Runs a platform topic for a case, as a step of its diagram. */
async function step(topic: string, caseId: string, variables: Record<string, unknown>) {
  const run = runOnce({ db: database.db, library, publicUrl: 'http://localhost' })
  const worker = (await discoverWorkers()).get(topic)!
  const task = { id: randomUUID(), topic, element: 'serviceTask_x', caseId, variables }
  const lock = { held: () => true, confirm: () => Promise.resolve(true) }
  return run({ worker, task, lock, log: pino({ enabled: false }) })
}

const codesOf = async (caseId: string) =>
  (
    await database.db
      .selectFrom('document_verification as v')
      .innerJoin('document as d', 'd.id', 'v.document_id')
      .select('v.code')
      .where('v.case_id', '=', caseId)
      .orderBy('d.number')
      .execute()
  ).map(({ code }) => code)

async function aCaseOfSomebody(): Promise<string> {
  const caseId = await aCase(database.db, requester)
  await database.db
    .updateTable('flow_case')
    .set({ subject: JSON.stringify({ employee: 'Nuwan Jayasinghe', last_working_day: '2027-01-14' }) })
    .where('id', '=', caseId)
    .execute()
  return caseId
}

async function textOf(file: Buffer): Promise<string> {
  const page = await (await getDocumentProxy(new Uint8Array(file))).getPage(1)
  return (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' ')
}

test('a document is verified by its code, and its file is the one that was issued', async () => {
  const caseId = await aCaseOfSomebody()
  await step('platform.issue-document', caseId, { document: LETTER })
  const [code] = await codesOf(caseId)
  const found = (await findVerified(database.db, code!))!
  expect(found).toMatchObject({ kind: LETTER, holder: 'Nuwan Jayasinghe', state: 'valid', signedBy: [] })
  const [document] = await documentsOf(database.db, caseId)
  const file = await fileOf(database.db, library, document!)
  expect(createHash('sha256').update(file).digest('hex')).toBe(found.sha256)
  expect(await textOf(file)).toContain(code!.match(/.{4}/g)!.join(' '))
  expect(await findVerified(database.db, 'f'.repeat(32))).toBeUndefined()
})

test('a document prints the facts that it declares, and keeps no others', async () => {
  const caseId = await aCaseOfSomebody()
  await database.db
    .updateTable('flow_case')
    .set({ facts: JSON.stringify({ award: 'AW-2026-00001', awardAmount: 400_000, pointsIncome: 30 }) })
    .where('id', '=', caseId)
    .execute()
  await step('platform.issue-document', caseId, { document: 'scholarships/award-letter' })
  const [document] = await documentsOf(database.db, caseId)
  expect(document!.data['facts']).toEqual({ award: 'AW-2026-00001', awardAmount: 400_000 })
  const text = await textOf(await fileOf(database.db, library, document!))
  expect(text).toContain('AW-2026-00001')
  // In the body, and in its row.
  expect(text.match(/Rs\. 4,000\.00/g)).toHaveLength(2)
})

test('a second document of its kind replaces it, a withdrawal ends that too, and none becomes valid again', async () => {
  const caseId = await aCaseOfSomebody()
  await step('platform.issue-document', caseId, { document: LETTER })
  await step('platform.issue-document', caseId, { document: LETTER })
  const [first, second] = await codesOf(caseId)
  const state = async (code: string) => (await findVerified(database.db, code))!.state
  expect([await state(first!), await state(second!)]).toEqual(['replaced', 'valid'])
  await step('platform.withdraw-document', caseId, { document: LETTER })
  expect([await state(first!), await state(second!)]).toEqual(['replaced', 'withdrawn'])

  const again = sql`update app.document_verification set ended_at = null where code = ${first}`
  await expect(again.execute(database.db)).rejects.toThrow(/only cease to hold/)
  await expect(again.execute(database.owner.db)).rejects.toThrow(/only cease to hold/)
  const forged = sql`update app.document_verification set holder = 'Somebody else' where code = ${first}`
  await expect(forged.execute(database.db)).rejects.toThrow(/permission denied/)
  await expect(forged.execute(database.owner.db)).rejects.toThrow(/only cease to hold/)
  const gone = sql`delete from app.document_verification where code = ${first}`
  await expect(gone.execute(database.owner.db)).rejects.toThrow(/only cease to hold/)
})

test('a letter is called what its kind calls it, and is expired after its last day', async () => {
  const verified = async (validUntil: string) => {
    const caseId = await aCaseOfSomebody()
    const titles = { en: 'Letter of registration', si: 'ලියාපදිංචි ලිපිය', ta: 'பதிவுக் கடிதம்' }
    const letter = { language: 'en', titles, paragraphs: ['This is to certify'] }
    const data = { letter, fields: { name: 'Nuwan Jayasinghe' }, validUntil }
    await database.db.transaction().execute(async (trx) => {
      const made = { caseId, kind: 'students/letter', number: caseId, data, by: null }
      const document = await documents(trx).issue(made)
      await makeVerifiable(
        trx,
        document,
        { holder: 'Nuwan Jayasinghe', signedBy: [] },
        { library, publicUrl: 'http://x' },
      )
    })
    const [code] = await codesOf(caseId)
    return findVerified(database.db, code!)
  }
  const last = '2025-03-31'
  expect(await verified(last)).toMatchObject({
    state: 'expired',
    endedAt: new Date(`${last}T23:59:59+05:30`),
    titles: { ta: 'பதிவுக் கடிதம்' },
  })
  expect(await verified('2999-01-01')).toMatchObject({ state: 'valid', endedAt: null })
})

test('the database allows one valid document of a kind for a case, and none whose hash differs from its file', async () => {
  const caseId = await aCaseOfSomebody()
  await step('platform.issue-document', caseId, { document: LETTER })
  const copied = (change: string, hash: string) =>
    sql.raw(`with other as (
      insert into app.document (id, case_id, kind, number, data)
      select gen_random_uuid(), case_id, kind, number || '-${change}', data from app.document where case_id = '${caseId}'
      returning id)
    insert into app.document_verification (document_id, case_id, kind, code, holder, signed_by, pdf, sha256)
    select other.id, case_id, kind, md5(code), holder, signed_by, pdf || '\\x00', ${hash}
    from app.document_verification, other where case_id = '${caseId}'`)
  await expect(copied('a', `encode(sha256(pdf || '\\x00'), 'hex')`).execute(database.db)).rejects.toThrow(
    /document_holds_once/,
  )
  await expect(copied('b', 'sha256').execute(database.db)).rejects.toThrow(/check/)
})

test('the last person who may grant cannot leave: the step waits for an operator', async () => {
  const caseId = await aCase(database.db, requester)
  await expect(step('platform.end-access', caseId, { reason: 'resignations.left' })).rejects.toThrow(/administrator/)
  const { active } = await database.db
    .selectFrom('account')
    .select('active')
    .where('id', '=', requester)
    .executeTakeFirstOrThrow()
  expect(active).toBe(true)
})

test('a person who leaves has no session left, also none of an identity server, and gets none back', async () => {
  const { db } = database
  const [leaver, admin] = [await anAccount(db), await anAccount(db)]
  await db
    .insertInto('role_grant')
    .values({ id: randomUUID(), account_id: admin, role: 'ADMIN', origin: 'seed' })
    .execute()
  const subject = randomUUID()
  await db.updateTable('account').set({ identity_subject: subject }).where('id', '=', leaver).execute()
  const client = { userAgent: null, address: null }
  await db.transaction().execute(async (trx) => {
    await openSession(trx, leaver, { method: 'oidc', client, identityToken: Buffer.from('sealed') })
    await openSession(trx, leaver, { method: 'password', client })
  })
  const caseId = await aCase(db, leaver)
  expect(await step('platform.end-access', caseId, { reason: 'resignations.left' })).toMatchObject({
    kind: 'completed',
  })
  const rows = await db.selectFrom('session').selectAll().where('account_id', '=', leaver).execute()
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(row).toMatchObject({ ended_at: expect.any(Date), identity_token: null })
  const context = { db, library, offers: { definitions: definitionStore(db), roles: library.roles } }
  const told = {
    subject,
    username: 'leaver',
    name: 'Leaver',
    email: undefined,
    emailVerified: false,
    issuedAt: new Date(),
  }
  await expect(resolveExternalAccount(context, { ...told, roles: ['Bursar'] })).rejects.toMatchObject({
    code: 'platform.identity-refused',
  })
})
