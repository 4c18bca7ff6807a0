import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import sharp from 'sharp'
import { schemaOfRecord } from '../../api/platform/model/definitions/own-record.ts'
import { jsonArtifact } from '../../api/platform/model/definitions/artifact.ts'
import { deployRepositoryModels } from '../../api/platform/model/deployed/deployment.ts'
import type { FieldSchema } from '../../api/platform/model/definitions/register.ts'
import { type Form, type Library, loadLibrary } from '../../api/platform/model/library/library.ts'
import { FLOW, library as fixture } from './fixtures/two-desks.ts'
import { caseServices } from './kit/case-services.ts'
import { agreeingEngine } from './kit/agreeing-engine.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { basicInformation } from './kit/own-record.ts'
import { anItem } from './kit/rows.ts'

const log = pino({ level: 'silent' })
const KEY = 'applicant-accounts/applicant'
const record = `/api/records/${KEY}`
const real = loadLibrary(`${import.meta.dirname}/../..`)
let database: TestDatabase
let own: TestApp
let [nuwan, selvi, clerk]: Caller[] = []
let [music, central, western, kandy]: string[] = []

/** Two steps of the product's record, and a start form that takes a copy of them. */
function aLibrary(): Library {
  const definition = real.ownRecords.get(KEY)!
  const steps = definition.steps.filter(({ name }) => ['basic_information', 'awards'].includes(name))
  const ownRecords = new Map([[KEY, { ...definition, steps }]])
  const start = fixture.forms.get('tests/request')!
  const whole = schemaOfRecord({ ...definition, steps }, (form) => real.forms.get(form)!.schema)
  const field: FieldSchema = { title: 'record', 'x-record': KEY, ...whole }
  const schema = { ...start.schema, properties: { ...start.schema.properties, record: field } }
  const form: Form = { key: start.key, schema, hash: jsonArtifact('form', start.key, schema).hash }
  const forms = new Map([...real.forms, ...fixture.forms, [form.key, form]])
  return { ...fixture, forms, ownRecords }
}

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  const { engine } = agreeingEngine([])
  const library = aLibrary()
  const { definitions, cases } = caseServices({ db, library, engine })
  await deployRepositoryModels({ db, engine, library, log, gate: async () => undefined })
  own = await testApp(database, { library, definitions, cases })
  const role = 'Temporary Employee'
  ;[nuwan, selvi] = [await own.person('nuwan', { role }), await own.person('selvi', { role })]
  clerk = await own.person('clerk', { role: 'HR MA' })
  ;[central, western] = [await anItem(db, 'platform/province'), await anItem(db, 'platform/province')]
  kandy = await anItem(db, 'platform/district', { data: { name: 'Kandy', province: central } })
  music = await anItem(db, 'platform/department')
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const put = async (who: Caller, step: string, body: object) => {
  const answer = await who.send('PUT', `${record}/steps/${step}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const stepOf = async (who: Caller, name: string) =>
  (await who.send('GET', record)).json().steps.find((step: { name: string }) => step.name === name)

async function photoOf(who: Caller): Promise<string> {
  const picture = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#7a1f2b' } })
    .gif()
    .toBuffer()
  const form = new FormData()
  const { hash } = (await stepOf(who, 'basic_information')).form
  for (const [name, value] of Object.entries({ form: hash, field: '/applicant_photo' })) form.set(name, value)
  form.set('file', new File([new Uint8Array(picture)], 'me.gif', { type: 'image/gif' }))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const answer = await who.send('POST', '/api/files', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type')!,
  })
  expect(answer.statusCode).toBe(201)
  return answer.json().id
}

const someone = (photo: string) => basicInformation({ photo, province: central!, district: kandy! })

test('what is typed is a draft of its owner alone; another device that saved first is not overwritten', async () => {
  expect((await own.send('GET', record)).statusCode).toBe(401)
  expect((await clerk!.send('GET', record)).statusCode).toBe(404)
  const first = await put(nuwan!, 'awards', { data: { awards: [{ title: 'Festival' }] }, complete: false })
  expect(first).toMatchObject({ status: 200, version: 1 })
  expect(await stepOf(nuwan!, 'awards')).toMatchObject({
    state: 'open',
    data: null,
    draft: { awards: [{ title: 'Festival' }] },
  })
  expect(await stepOf(selvi!, 'awards')).toMatchObject({ draft: null, version: null })
  const late = await put(nuwan!, 'awards', { data: {}, complete: false })
  expect(late).toMatchObject({ status: 409, code: 'platform.draft-changed' })
  const discarded = await nuwan!.send('DELETE', `${record}/steps/awards/draft`)
  expect([discarded.statusCode, (await stepOf(nuwan!, 'awards')).draft]).toEqual([204, null])
  expect(await put(nuwan!, 'nothing', { data: {}, complete: false })).toMatchObject({ status: 404 })
})

test('a complete step is checked by its form: messages of the source, a district of the province, own files', async () => {
  const photo = await photoOf(nuwan!)
  const wrong = await put(nuwan!, 'basic_information', {
    data: { ...someone(photo), first_name: 'Nuwan 2', date_of_birth: '2999-01-01', nic: '123', gender: undefined },
    complete: true,
  })
  expect(Object.fromEntries(wrong.errors.map((one: any) => [one.field, one.message]))).toEqual({
    '/first_name': 'This Field Do Not Accept Numbers!',
    '/date_of_birth': 'The date of birth cannot be in the future',
    '/nic': 'Please enter a valid NIC Number(Eg:991234567V or 991234567v or 199981234567)',
    '/gender': 'Please select an option.',
  })
  const elsewhere = await put(nuwan!, 'basic_information', {
    data: { ...someone(photo), permanent_address_province: western },
    complete: true,
  })
  expect(elsewhere.errors[0]).toMatchObject({ field: '/permanent_address_district', code: 'platform.item-not-within' })
  const stolen = await put(selvi!, 'basic_information', { data: someone(photo), complete: true })
  expect(stolen.errors).toMatchObject([{ field: '/applicant_photo', code: 'platform.file-unknown' }])
  expect((await stepOf(nuwan!, 'basic_information')).state).toBe('open')

  expect(await put(nuwan!, 'basic_information', { data: someone(photo), complete: true })).toMatchObject({
    status: 200,
  })
  const saved = await stepOf(nuwan!, 'basic_information')
  expect(saved).toMatchObject({ state: 'done', data: { postal_address_city: 'Kandy', postal_address_district: kandy } })
})

test('an application takes a copy of complete steps, and a later change does not reach it', async () => {
  const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour)).toISOString()
  const data = { department: music, purpose: 'Lecturer', from: at(9), until: at(11) }
  const early = (await selvi!.send('POST', '/api/cases', { flow: FLOW, data })).json()
  expect(early.errors).toMatchObject([{ field: '/record', code: 'platform.record-incomplete' }])

  // What somebody sends in place of their record does not count.
  const sent = await nuwan!.send('POST', '/api/cases', { flow: FLOW, data: { ...data, record: { forged: true } } })
  expect(sent.json()).toMatchObject({ data: { record: { basic_information: { first_name: 'Nuwan' } } } })
  const { version, data: saved } = await stepOf(nuwan!, 'basic_information')
  await put(nuwan!, 'basic_information', { data: { ...saved, first_name: 'Ruwan' }, version, complete: true })
  const again = (await nuwan!.send('GET', `/api/cases/${sent.json().id}`)).json()
  expect(again.data.record.basic_information.first_name).toBe('Nuwan')
  expect((await stepOf(nuwan!, 'basic_information')).data.first_name).toBe('Ruwan')
})

test('a replaced file is deleted, unless an application holds it; desks that read the record leave a trace', async () => {
  const fileIs = async (id: string) => (await selvi!.send('GET', `/api/files/${id}`)).statusCode
  const save = async (photo: string) => {
    const version = (await stepOf(selvi!, 'basic_information')).version ?? undefined
    const data = someone(photo)
    return (await put(selvi!, 'basic_information', { data, ...(version && { version }), complete: true })).status
  }
  const [first, second, third] = [await photoOf(selvi!), await photoOf(selvi!), await photoOf(selvi!)]
  expect([await save(first), await save(second)]).toEqual([200, 200])
  expect([await fileIs(first), await fileIs(second)]).toEqual([404, 200])
  const stored = database.db.selectFrom('file').select('id').where('id', '=', first).execute()
  expect(await stored).toEqual([])

  const at = (hour: number) => new Date(Date.UTC(2031, 1, 1, hour)).toISOString()
  const data = { department: music, purpose: 'Lecturer', from: at(9), until: at(11) }
  const sent = await selvi!.send('POST', '/api/cases', { flow: FLOW, data })
  expect([sent.statusCode, await save(third)]).toEqual([201, 200])
  expect([await fileIs(second), await fileIs(third)]).toEqual([200, 200])
  const kept = (await selvi!.send('GET', `/api/cases/${sent.json().id}`)).json()
  expect(kept.data.record.basic_information.applicant_photo).toBe(second)

  const sensitive = real.forms.get('applicant-accounts/basic-information')!.schema.properties!
  const named = ['nic', 'date_of_birth', 'mobile_no', 'nic_front', 'permanent_address_street']
  expect(named.filter((name) => sensitive[name]!['x-sensitive'] !== true)).toEqual([])
})
