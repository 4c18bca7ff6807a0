import { beforeAll, expect, test } from '@jest/globals'
import { day } from '../platform/kit/days.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

const PATIENTS = '/api/registers/medical/patient/items'
const CHECKUPS = '/api/registers/medical/checkup/items'
const PRESCRIPTIONS = '/api/registers/medical/prescription/items'
const STOCK = '/api/stock/medical/batch'
/** A text that nothing else in the product holds. */
const SECRET = `Hidden diagnosis ${Date.now()}`

let doctor: Person, head: Person, nurse: Person, admin: Person
let card: string
beforeAll(async () => {
  // Another test may have replaced the card of this student.
  ;[{ card }] = (await asOwner<{ card: string }>(
    `select c.data ->> 'number' as card from app.register_item c join app.register_item first
       on first.register = c.register and first.data ->> 'student' = c.data ->> 'student'
     where c.register = 'id-cards/card' and c.status = 'Active' and first.data ->> 'number' = 'SC-2024-000101'`,
  )) as [{ card: string }]
  ;[doctor, head, nurse, admin] = await Promise.all([
    as('doctor.mohan'),
    as('doctor.anoma'),
    as('nurse.geethani'),
    as('admin'),
  ])
})

const patientNamed = async (name: string): Promise<string> =>
  (await nurse.get(`${PATIENTS}?search=${encodeURIComponent(name)}`)).items[0].id
const entryOf = async (register: string, name: string): Promise<string> => {
  const { items } = await doctor.get(`/api/registers/medical/${register}/items?search=${encodeURIComponent(name)}`)
  return items.find(({ title }: { title: string }) => title === name).id
}

const childOf = async (patient: string): Promise<string> =>
  (await nurse.get(`${PATIENTS}?filter.family_of=${patient}`)).items[0].id

test('a record is closed until the patient shows a card of theirs; nobody writes or reads before', async () => {
  const selvi = await patientNamed('Selvi Rajaratnam')
  const fresh = await doctor.get(`${PATIENTS}/${selvi}`)
  // Who looks at the list, or at a record that is closed, is in the audit trail as well.
  const readings = async (action: string, object: string) =>
    (
      await asOwner<{ payload: { fields: string[]; items: string[] } }>(
        `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
           where e.action = $1 and e.object = $2 and e.actor = $3 order by e.id desc limit 1`,
        [action, object, doctor.id],
      )
    )[0]?.payload
  await doctor.get(`${PATIENTS}?search=selvi`)
  expect((await readings('register.sealed-listed', 'medical/patient'))?.items).toContain(selvi)
  if (fresh.sealed.openUntil === null) {
    expect((await readings('register-item.sensitive-read', `medical/patient:${selvi}`))?.fields).not.toContain(
      '/conditions',
    )
    expect(fresh).toMatchObject({ mayChange: false, sealed: { mayOpen: true, restricted: false } })
    expect(fresh.data.conditions).toBeUndefined()
    const group = await entryOf('diagnosis-group', 'Skin')
    const data = { patient: selvi, visited_on: day(0), complaint: 'Itch', diagnosis_group: group }
    expect(await doctor.send('POST', CHECKUPS, { data })).toMatchObject({
      status: 403,
      body: { code: 'platform.record-closed' },
    })
  }
  const open = (body: object) => doctor.send('POST', `${PATIENTS}/${selvi}/openings`, body)
  // The card of somebody else.
  expect(await open({ shown: card })).toMatchObject({ status: 422 })
  const [student] = await asOwner<{ nic: string }>(
    `select data ->> 'nic' as nic from app.register_item where register = 'platform/student' and title like '%Rajaratnam%'`,
  )
  expect(await open({ shown: student!.nic })).toMatchObject({ status: 201 })
  const opened = await doctor.get(`${PATIENTS}/${selvi}`)
  expect(opened.data.conditions).toBe('Asthma since childhood')
  // Open for this reader alone.
  expect((await head.get(`${PATIENTS}/${selvi}`)).data.conditions).toBeUndefined()
  const [read] = await asOwner<{ payload: { fields: string[] } }>(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.action = 'register-item.sensitive-read' and e.object = $1 and e.actor = $2 order by e.id desc limit 1`,
    [`medical/patient:${selvi}`, doctor.id],
  )
  expect(read!.payload.fields).toEqual(expect.arrayContaining(['/conditions', '/regular_medicines']))
})

test('what a doctor writes is stored encrypted, in the entry, its versions and the audit trail', async () => {
  const { id: patient } = await doctor.ok('POST', '/api/medical/arrivals', { shown: card })
  const data = {
    patient,
    visited_on: day(0),
    complaint: 'Sneezing',
    diagnosis: SECRET,
    diagnosis_group: await entryOf('diagnosis-group', 'Respiratory'),
  }
  const made = await doctor.ok('POST', CHECKUPS, { data })
  expect(made.data.diagnosis).toBe(SECRET)
  expect((await doctor.get(`${CHECKUPS}/${made.id}`)).data.diagnosis).toBe(SECRET)
  const [row] = await asOwner<{ data: object; sealed: Buffer; found: string }>(
    `select i.data, s.sealed, (select count(*) from app.register_item_version v where v.data::text like $2)
         + (select count(*) from app.audit_payload p where p.payload::text like $2) as found
       from app.register_item i join app.sealed_fields s on s.item_id = i.id where i.id = $1`,
    [made.id, `%${SECRET}%`],
  )
  expect(row!.data).toEqual({ patient, visited_on: day(0) })
  expect(row!.found).toBe('0')
  expect(row!.sealed.toString('latin1')).not.toContain('Hidden diagnosis')
  // The database refuses the plain text from anybody.
  await expect(
    asOwner(`update app.register_item set data = data || '{"diagnosis": "x"}' where id = $1`, [made.id]),
  ).rejects.toMatchObject({ constraint: 'entry_keeps_sealed' })
  // Neither lists nor searches, and nothing at all for those who see everything else.
  const { items } = await doctor.get(`${CHECKUPS}?filter.patient=${patient}`)
  expect(JSON.stringify(items)).not.toContain('Hidden diagnosis')
  for (const path of [`${CHECKUPS}/${made.id}`, CHECKUPS, '/api/registers/medical/checkup'])
    expect([path, (await admin.send('GET', path)).status]).toEqual([path, 404])
})

test('a restricted record opens only with a reason, which the head of the unit is mailed', async () => {
  const perera = await patientNamed('Nadeesha Perera')
  const open = (body: object) => nurse.send('POST', `${PATIENTS}/${perera}/openings`, body)
  expect(await open({ shown: '197483117400' })).toMatchObject({
    status: 422,
    body: { code: 'platform.record-restricted' },
  })
  expect(await open({ reason: 'unconscious' })).toMatchObject({ status: 422, body: { code: 'platform.form-invalid' } })
  const reason = 'emergency'
  expect(await open({ reason })).toMatchObject({ status: 201 })
  const { until: end } = (await open({ reason })).body
  expect(Date.parse(end) - Date.now()).toBeLessThanOrEqual(3_600_000)
  expect((await nurse.get(`${PATIENTS}/${perera}`)).data.conditions).toBe('High blood pressure')
  const [told] = await asOwner<{ payload: { reason: string; told: string[] } }>(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.action = 'record.opened-for-reason' and e.actor = $1 order by e.id desc limit 1`,
    [nurse.id],
  )
  expect(told!.payload).toMatchObject({ reason, told: expect.arrayContaining([head.id]) })
  const [letter] = await asOwner<{ body: string }>(
    `select body from app.mail where recipient_id = $1 and template = 'medical.mail.opened' order by id desc limit 1`,
    [head.id],
  )
  expect(letter!.body).toContain('Emergency')
  expect(letter!.body).not.toContain('Perera')
  // A child of hers is restricted like her, and a number does not open it.
  const child = await nurse.get(`${PATIENTS}/${await childOf(perera)}`)
  expect(child.sealed).toMatchObject({
    restricted: true,
    reasons: expect.arrayContaining([{ const: 'law', title: 'medical.opening.law' }]),
  })
})

test('a family member has a record of their own, which the number of the one they belong to opens, and no other', async () => {
  const nicOf = async (username: string) => {
    const [row] = await asOwner<{ nic: string }>(
      `select i.data ->> 'nic' as nic from app.account a join app.register_item i on i.id = a.record_id
       where a.username = $1`,
      [username],
    )
    return row!.nic
  }
  const [own, others] = [await nicOf('book.keeper'), await nicOf('store.keeper')]
  const { id: parent } = await doctor.ok('POST', '/api/medical/arrivals', { shown: own })
  const about = { kind: 'family', full_name: `Nuwan ${Date.now()}`, relation: 'Son', date_of_birth: '2019-05-01' }
  const { id: child } = await nurse.ok('POST', PATIENTS, { data: { ...about, family_of: parent } })
  const { items } = await nurse.get(`${PATIENTS}?filter.family_of=${parent}`)
  expect(items).toContainEqual(expect.objectContaining({ id: child, title: about.full_name }))

  const group = await entryOf('diagnosis-group', 'Skin')
  const visit = { visited_on: day(0), complaint: 'Rash', diagnosis_group: group }
  const examines = () => doctor.send('POST', CHECKUPS, { data: { ...visit, patient: child } })
  // That of the parent, which is open, opens none of the child.
  expect((await examines()).body.code).toBe('platform.record-closed')
  const opens = (shown: string) => doctor.send('POST', `${PATIENTS}/${child}/openings`, { shown })
  expect((await opens(others)).status).toBe(422)
  expect((await opens(own)).status).toBe(201)
  const { id: checkup } = (await examines()).body
  const listed = async (patient: string) =>
    (await doctor.get(`${CHECKUPS}?filter.patient=${patient}`)).items.map(({ id }: { id: string }) => id)
  expect([await listed(child), (await listed(parent)).includes(checkup)]).toEqual([[checkup], false])
})

test('a reason opens nothing for the head while nobody else can be told', async () => {
  const perera = await patientNamed('Nadeesha Perera')
  const opens = () => head.send('POST', `${PATIENTS}/${perera}/openings`, { reason: 'emergency' })
  const shifts = (by: string) =>
    asOwner(`update app.role_grant set starts_at = starts_at ${by} interval '100 years' where role = 'Registrar'`)
  await shifts('+')
  try {
    expect(await opens()).toMatchObject({ status: 409, body: { code: 'platform.record-nobody-told' } })
  } finally {
    await shifts('-')
  }
  expect((await opens()).status).toBe(201)
})

test('nobody opens the record about themselves, and the database forbids it too', async () => {
  const [self] = await asOwner<{ id: string; nic: string }>(
    `select i.id, i.data ->> 'nic' as nic from app.account a join app.register_item i on i.id = a.record_id where a.id = $1`,
    [nurse.id],
  )
  const { id } = await doctor.ok('POST', '/api/medical/arrivals', { shown: self!.nic })
  expect(await nurse.send('POST', `${PATIENTS}/${id}/openings`, { reason: 'I want to know it' })).toMatchObject({
    status: 403,
    body: { code: 'platform.own-record-stays-closed' },
  })
  await expect(
    asOwner(
      `insert into app.record_opening (id, account_id, item_id, how, until)
         values (gen_random_uuid(), $1, $2, 'presented', now() + interval '1 hour')`,
      [nurse.id, id],
    ),
  ).rejects.toMatchObject({ constraint: 'opens_not_ones_own' })
})

test('who opens a record and then makes it theirs neither reads nor writes it', async () => {
  const [self] = await asOwner<{ id: string }>(`select record_id as id from app.account where id = $1`, [doctor.id])
  const opens = (who: Person, id: string) =>
    asOwner(
      `insert into app.record_opening (id, account_id, item_id, how, reason, until)
         values (gen_random_uuid(), $1, $2, 'reason', 'other', now() + interval '1 hour')`,
      [who.id, id],
    )
  // An earlier run of the file has left it theirs.
  const [left] = await asOwner<{ id: string }>(
    `select id from app.register_item where register = 'medical/patient' and data ->> 'employee' = $1`,
    [self!.id],
  )
  if (left) {
    await opens(head, left.id)
    const { version, data } = await head.get(`${PATIENTS}/${left.id}`)
    const { employee: _, ...rest } = data
    await head.ok('PUT', `${PATIENTS}/${left.id}`, { data: rest }, { 'if-match': `"${version}"` })
  }
  const made = await doctor.ok('POST', PATIENTS, { data: { kind: 'employee', full_name: `Not said ${Date.now()}` } })
  await opens(doctor, made.id)
  const at = `${PATIENTS}/${made.id}`
  const put = (data: object, version: number) => doctor.send('PUT', at, { data }, { 'if-match': `"${version}"` })
  const mine = { ...made.data, employee: self!.id }
  const own = { status: 403, body: { code: 'platform.own-record-stays-closed' } }
  expect(await put(mine, made.version)).toMatchObject(own)
  expect(await doctor.send('POST', PATIENTS, { data: { ...mine, notes: 'Well' } })).toMatchObject(own)

  // Somebody else says so: what is open is closed by it.
  expect((await put({ ...made.data, notes: 'Not theirs yet' }, made.version)).status).toBe(200)
  await opens(head, made.id)
  const { version } = await head.get(at)
  await head.ok('PUT', at, { data: mine }, { 'if-match': `"${version}"` })
  const read = await doctor.get(at)
  expect(read).toMatchObject({ mayChange: false, sealed: { openUntil: null, mayOpen: false } })
  expect(read.data.notes).toBeUndefined()
  expect(await put({ ...mine, notes: 'Well' }, read.version)).toMatchObject(own)
  expect(
    await doctor.send('POST', `${at}/status`, { status: 'Inactive' }, { 'if-match': `"${read.version}"` }),
  ).toMatchObject(own)
  expect(
    await doctor.send('POST', CHECKUPS, {
      data: {
        patient: made.id,
        visited_on: day(0),
        complaint: 'Itch',
        diagnosis_group: await entryOf('diagnosis-group', 'Skin'),
      },
    }),
  ).toMatchObject(own)

  // The database refuses it as well.
  await asOwner(
    `insert into app.register_item_version (item_id, version, status, data, changed_by) values ($1, 90, 'Active', '{}', $2)`,
    [made.id, doctor.id],
  )
  await expect(
    asOwner(
      `insert into app.sealed_fields (item_id, version, key_id, sealed) values ($1, 90, 'x', decode(repeat('00', 40), 'hex'))`,
      [made.id],
    ),
  ).rejects.toMatchObject({ constraint: 'seals_not_ones_own' })
  await expect(
    asOwner(
      `insert into app.register_item_version (item_id, version, status, data) values ($1, 91, 'Active', '{"notes": "x"}')`,
      [made.id],
    ),
  ).rejects.toMatchObject({ constraint: 'entry_keeps_sealed' })
})

test('what a change does not name stays encrypted as it was; only null erases it, and a closed record keeps its status', async () => {
  const [piumi] = await asOwner<{ nic: string }>(
    `select data ->> 'nic' as nic from app.register_item where register = 'platform/student' and title like '%Weerakoon%'`,
  )
  const { id } = await doctor.ok('POST', '/api/medical/arrivals', { shown: piumi!.nic })
  const at = `${PATIENTS}/${id}`
  const put = async (more: object) => {
    const { version, data } = await doctor.get(at)
    const { allergies: _, ...rest } = data
    return doctor.ok('PUT', at, { data: { ...rest, ...more } }, { 'if-match': `"${version}"` })
  }
  await put({ allergies: 'Wool' })
  await put({ blood_group: 'A+' })
  expect((await doctor.get(at)).data).toMatchObject({ allergies: 'Wool', blood_group: 'A+' })
  const erased = await put({ allergies: null })
  expect(erased.data).toMatchObject({ blood_group: 'A+' })
  expect(erased.data.allergies).toBeUndefined()
  expect(
    await head.send('POST', `${at}/status`, { status: 'Inactive' }, { 'if-match': `"${erased.version}"` }),
  ).toMatchObject({ status: 403, body: { code: 'platform.record-closed' } })
})

test('a nurse of the unit who shows a card is entered as restricted', async () => {
  const [self] = await asOwner<{ nic: string }>(
    `select i.data ->> 'nic' as nic from app.account a join app.register_item i on i.id = a.record_id where a.id = $1`,
    [nurse.id],
  )
  const { id, open } = await head.ok('POST', '/api/medical/arrivals', { shown: self!.nic })
  expect(open).toBe(false)
  expect((await head.get(`${PATIENTS}/${id}`)).data.restricted).toBe(true)
})

test('a prescription takes what it needs from the batches that expire first, once, and by a nurse', async () => {
  const name = `Tested drug ${Date.now()}`
  const kind = { kind: 'drug', unit: 'tablet', least: 10 }
  const { id: item } = await nurse.ok('POST', '/api/registers/medical/item/items', { data: { name, ...kind } })
  const receive = (number: string, expiresOn: string, units: number) =>
    nurse.ok('POST', `${STOCK}/receipts`, { item, number, expiresOn, units, reason: 'Delivery' })
  await receive('LATE', day(300), 20)
  // Sent again because the answer was lost.
  const again = { item, number: 'SOON', expiresOn: day(20), units: 10, reason: 'Delivery' }
  const key = { 'idempotency-key': `lost-answer-${Date.now()}` }
  const [first, second] = [
    await nurse.ok('POST', `${STOCK}/receipts`, again, key),
    await nurse.ok('POST', `${STOCK}/receipts`, again, key),
  ]
  expect(second).toEqual(first)
  await receive('OLD', day(-3), 500)
  const shelf = async () =>
    (await nurse.get(`${STOCK}?search=${encodeURIComponent(name)}`)).items[0] as {
      usable: number
      batches: { number: string; onHand: number }[]
    }
  expect((await shelf()).usable).toBe(30)

  const { id: patient } = await doctor.ok('POST', '/api/medical/arrivals', { shown: card })
  const [two, often, once] = await Promise.all([
    entryOf('dose-quantity', '2'),
    entryOf('dose-frequency', '6 hrs'),
    entryOf('dose-frequency', 'stat'),
  ])
  const lines = [
    { item, dose: two, frequency: often, days: 3 },
    { item, dose: two, frequency: once, days: 3 },
  ]
  const data = { patient, prescribed_on: day(0), lines }
  const made = await doctor.ok('POST', PRESCRIPTIONS, { data })
  expect(await nurse.send('POST', PRESCRIPTIONS, { data })).toMatchObject({ status: 403 })
  expect((await doctor.send('POST', PRESCRIPTIONS, { data: { ...data, lines: [{ item, dose: two }] } })).status).toBe(
    422,
  )

  const at = `/api/medical/prescriptions/${made.id}/dispensing`
  expect((await doctor.get(at)).mayDispense).toBe(false)
  const nothing = { version: 1, give: [], refuse: [], batches: [] }
  expect((await doctor.send('POST', at, nothing)).status).toBe(403)
  await nurse.ok('POST', '/api/medical/arrivals', { shown: card })
  const { lines: told } = await nurse.get(at)
  expect(told.map(({ units }: { units: number }) => units)).toEqual([24, 2])
  expect(told[0].batches).toMatchObject([
    { number: 'SOON', units: 10 },
    { number: 'LATE', units: 14 },
  ])
  const written = (by: Person) =>
    asOwner(
      `insert into app.register_item_version (item_id, version, status, data, changed_by) values ($1, 0, 'Waiting', '{}', $2)`,
      [made.id, by.id],
    )
  await written(nurse)
  expect((await nurse.get(at)).mayDispense).toBe(false)
  const given = (from: { units: number; batches: { batch: string; units: number }[] }[]) => ({
    give: from.map(({ units }, line) => ({ line, units })),
    refuse: [],
    batches: from.flatMap(({ batches }) => batches.map(({ batch, units }) => ({ batch, units }))),
  })
  const dispenses = async () => nurse.send('POST', at, { version: (await nurse.get(at)).version, ...given(told) })
  expect(await dispenses()).toMatchObject({ status: 403, body: { code: 'medical.prescriber-dispenses' } })
  await asOwner(`delete from app.register_item_version where item_id = $1 and version = 0`, [made.id])
  // The doctor changes it while the nurse has the old quantities in hand.
  const shorter = { ...data, lines: [{ item, dose: two, frequency: often, days: 2 }, data.lines[1]!] }
  const { version } = await doctor.get(`${PRESCRIPTIONS}/${made.id}`)
  const writes = (content: object, after: number) =>
    doctor.ok('PUT', `${PRESCRIPTIONS}/${made.id}`, { data: content }, { 'if-match': `"${after}"` })
  await writes(shorter, version)
  expect(await dispenses()).toMatchObject({ status: 409, body: { code: 'medical.dispense-changed' } })
  await writes(data, version + 1)
  const twice = await Promise.all([dispenses(), dispenses()])
  expect(twice.map(({ status }) => status).toSorted()).toEqual([204, 409])
  const { lines: noted } = await nurse.get(at)
  expect(noted).toMatchObject([
    {
      ...{ units: 24, left: null },
      batches: [
        { number: 'SOON', units: 10 },
        { number: 'LATE', units: 14 },
      ],
    },
    { units: 2, batches: [{ number: 'LATE', units: 2 }] },
  ])
  expect((await shelf()).batches.map(({ number, onHand }) => [number, onHand])).toEqual([
    ['OLD', 500],
    ['LATE', 4],
  ])
  // The movement names nobody.
  const late = (
    await asOwner<{ id: string }>(
      `select id from app.register_item where register = 'medical/batch' and title = 'LATE' and data ->> 'item' = $1`,
      [item],
    )
  )[0]!
  expect((await nurse.get(`${STOCK}/batches/${late.id}/movements`)).items[0]).toMatchObject({
    kind: 'issued',
    units: -22 + 6,
    reason: 'Prescription',
    by: null,
  })
  const posted = await asOwner<{ actor: string; payload: object }>(
    `select e.actor, p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.action = 'ledger.posted' and p.payload ->> 'kind' like 'stock-%' and (p.payload ? 'lines' or e.actor <> 'system:ledger')`,
  )
  expect(posted).toEqual([])

  const another = await doctor.ok('POST', PRESCRIPTIONS, { data })
  expect(
    await nurse.send('POST', `/api/medical/prescriptions/${another.id}/dispensing`, {
      ...nothing,
      give: [{ line: 0, units: 24 }],
    }),
  ).toMatchObject({
    status: 409,
    body: { code: 'platform.stock-short' },
  })
  const { status } = await doctor.get(`${PRESCRIPTIONS}/${another.id}`)
  expect(status).toBe('Waiting')

  // Line by line: what there is of one now, the rest later or not at all, with a reason.
  const part = `/api/medical/prescriptions/${another.id}/dispensing`
  const acts = async (body: object) => {
    const { version: read } = await nurse.get(part)
    return nurse.send('POST', part, { ...nothing, version: read, ...body })
  }
  expect(await acts({})).toMatchObject({ status: 422, body: { code: 'medical.dispense-nothing' } })
  const { lines: short } = await nurse.get(part)
  expect(short[0]).toMatchObject({ units: 24, left: 4, given: 0, batches: [{ number: 'LATE', units: 4 }] })
  const now = { give: [{ line: 0, units: 4 }], batches: [{ batch: late.id, units: 4 }] }
  const both = { ...now, refuse: [{ line: 0, reason: 'Twice' }] }
  expect(await acts(both)).toMatchObject({ status: 409, body: { code: 'medical.dispense-changed' } })
  expect((await acts(now)).status).toBe(204)
  expect((await shelf()).batches.map(({ number, onHand }) => [number, onHand])).toEqual([['OLD', 500]])
  const rest = (await nurse.get(part)).lines
  expect(rest).toMatchObject([
    { units: 20, given: 4, left: 0, refused: null },
    { units: 2, given: 0 },
  ])
  expect((await acts({ give: [{ line: 0, units: 21 }] })).body.code).toBe('medical.dispense-changed')
  // Who has given out a part may give out the rest.
  expect((await acts({ refuse: [{ line: 0, reason: 'Bought elsewhere' }] })).status).toBe(204)
  expect((await nurse.get(part)).lines[0]).toMatchObject({ units: 0, refused: 'Bought elsewhere' })
  expect((await doctor.get(`${PRESCRIPTIONS}/${another.id}`)).status).toBe('Waiting')
  expect((await acts({ refuse: [{ line: 1, reason: 'Not needed any more' }] })).status).toBe(204)
  expect((await doctor.get(`${PRESCRIPTIONS}/${another.id}`)).status).toBe('Dispensed')
  expect((await acts({ refuse: [{ line: 1, reason: 'Again' }] })).body.code).toBe('medical.prescription-not-waiting')
  expect((await nurse.get(part)).lines).toMatchObject([
    { units: 4, refused: 'Bought elsewhere', batches: [{ number: 'LATE', units: 4 }] },
    { units: 0, refused: 'Not needed any more', batches: [] },
  ])
  const noted2 = await asOwner<{ actor: string }>(
    `select actor from app.audit_entry where action = 'prescription.dispensed-in-part' and object = $1`,
    [`register-item:${another.id}`],
  )
  expect(noted2).toEqual([{ actor: nurse.id }, { actor: nurse.id }])
})

test('a doctor changes a prescription of which a part was given; no part is given twice, and no line taken for another', async () => {
  const things = await Promise.all(
    ['first', 'second', 'third'].map(async (one) => {
      const data = { name: `Changed ${one} ${Date.now()}`, kind: 'drug', unit: 'tablet', least: 0 }
      const { id } = await nurse.ok('POST', '/api/registers/medical/item/items', { data })
      const received = { item: id, number: `CH-${one}`, expiresOn: day(200), units: 100, reason: 'Delivery' }
      return { id: id as string, batch: (await nurse.ok('POST', `${STOCK}/receipts`, received)).id as string }
    }),
  )
  const [first, second, third] = things as [(typeof things)[0], (typeof things)[0], (typeof things)[0]]
  const { id: patient } = await doctor.ok('POST', '/api/medical/arrivals', { shown: card })
  await nurse.ok('POST', '/api/medical/arrivals', { shown: card })
  const lines = [
    { item: first.id, units: 24 },
    { item: second.id, units: 10 },
  ]
  const { id } = await doctor.ok('POST', PRESCRIPTIONS, {
    data: { patient, prescribed_on: day(0), lines, noted: [{ line: 'x' }], dispensed: [] },
  })
  const path = `/api/medical/prescriptions/${id}/dispensing`
  const acts = (version: number, body: object) =>
    nurse.send('POST', path, { version, give: [], refuse: [], batches: [], ...body })
  const changed = { status: 409, body: { code: 'medical.dispense-changed' } }
  const reason = `allergic${Date.now()}`
  const part = {
    give: [{ line: 0, units: 4 }],
    refuse: [{ line: 1, reason }],
    batches: [{ batch: first.batch, units: 4 }],
  }
  const { version } = await nurse.get(path)
  expect((await acts(version, { refuse: [{ line: 1, reason: '   ' }] })).status).toBe(400)
  const before = Date.now()
  // A part that is sent again because the answer was lost, or by two nurses, is given once.
  expect(
    (await Promise.all([acts(version, part), acts(version, part)])).map(({ status }) => status).toSorted(),
  ).toEqual([204, 409])
  expect(await acts(version, { ...part, refuse: [] })).toMatchObject(changed)
  const read = await nurse.get(path)
  expect(read.lines).toMatchObject([
    { given: 4, units: 20 },
    { given: 0, units: 0, refused: reason },
  ])
  const by = (await nurse.get('/api/me')).name
  expect(read.parts).toMatchObject([
    { units: 4, refused: null, by },
    { units: 0, refused: reason, by },
  ])
  for (const { at } of read.parts) expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000)

  // The doctor changes it: what was given counts, and what steps have noted is neither told nor taken from a request.
  const at = `${PRESCRIPTIONS}/${id}`
  const writes = async (named: object[], more: object = {}) => {
    const own = await doctor.get(at)
    expect(Object.keys(own.data).toSorted()).toEqual(['lines', 'patient', 'prescribed_on'])
    const data = { ...own.data, lines: named, ...more }
    return doctor.ok('PUT', at, { data }, { 'if-match': `"${own.version}"` })
  }
  const [more, other, last] = [{ item: first.id, units: 30 }, lines[1]!, { item: third.id, units: 5 }]
  await writes([more, other, last], { noted: null, dispensed: [{ batch: first.batch, units: 1 }] })
  const now = await nurse.get(path)
  expect(now.lines).toMatchObject([
    { given: 4, units: 26 },
    { units: 0, refused: reason },
    { given: 0, units: 5 },
  ])
  expect(now.parts).toEqual(read.parts)
  // Nothing of it is in plain text anywhere.
  const tables = ['register_item', 'register_item_version', 'audit_entry', 'audit_payload', 'audit_lookup', 'activity']
  for (const table of tables) {
    const [{ count } = { count: -1 }] = await asOwner<{ count: number }>(
      `select count(*)::int as count from app.${table} t where t::text ilike $1`,
      [`%${reason}%`],
    )
    expect([table, count]).toEqual([table, 0])
  }
  const [row] = await asOwner<{ data: object }>(`select data from app.register_item where id = $1`, [id])
  expect(row!.data).toEqual({ patient, prescribed_on: day(0) })
  await expect(
    asOwner(`update app.register_item set data = data || '{"noted": []}' where id = $1`, [id]),
  ).rejects.toMatchObject({ constraint: 'entry_keeps_sealed' })

  // A line is named by its place in the version that was read.
  await writes([other, last])
  expect(await acts(now.version, { refuse: [{ line: 2, reason: 'Third' }] })).toMatchObject(changed)
  expect(await acts(now.version, { refuse: [{ line: 0, reason: 'First' }] })).toMatchObject(changed)
  const later = await nurse.get(path)
  expect(later.lines).toMatchObject([
    { item: second.id, units: 0, refused: reason },
    { item: third.id, units: 5 },
    { item: first.id, units: 0, given: 4 },
  ])
  // Two different parts at the same moment: who comes second reads first what is left.
  const gives = (units: number) =>
    acts(later.version, { give: [{ line: 1, units }], batches: [{ batch: third.batch, units }] })
  const both = await Promise.all([gives(1), gives(2)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])
  const given = both[0].status === 204 ? 1 : 2
  expect((await nurse.get(path)).lines[1]).toMatchObject({ given, units: 5 - given })
  // The only line that is open goes: nothing is left to give.
  expect(await writes([other])).toMatchObject({ status: 'Dispensed' })
  const done = await nurse.get(path)
  expect(done).toMatchObject({ status: 'Dispensed', mayDispense: false })
  expect(done.lines).toMatchObject([
    { item: second.id, units: 0, refused: reason, batches: [] },
    { item: first.id, units: 4, batches: [{ number: 'CH-first', units: 4 }] },
    { item: third.id, units: given, batches: [{ number: 'CH-third', units: given }] },
  ])
})

test('a batch that changes while units of it are issued: the issue is refused, and the page says so', async () => {
  const name = `Moving drug ${Date.now()}`
  const { id: item } = await nurse.ok('POST', '/api/registers/medical/item/items', {
    data: { name, kind: 'drug', unit: 'tablet', least: 0 },
  })
  const receive = async (number: string, expiresOn: string): Promise<string> =>
    (await nurse.ok('POST', `${STOCK}/receipts`, { item, number, expiresOn, units: 5, reason: 'Delivery' })).id
  const [first, second] = [await receive('FIRST', day(20)), await receive('SECOND', day(40))]
  /** Gives the batch a status after the issue has chosen its batches, and before it is committed. */
  const meanwhile = (locked: string, batch: string, status: string) =>
    asOwner(`do $$ begin
      perform from app.ledger_account where batch_id = '${locked}' for update;
      for look in 1..400 loop
        exit when exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)));
        perform pg_sleep(0.05);
      end loop;
      update app.register_item set status = '${status}' where id = '${batch}';
    end $$`)
  const issuing = () => nurse.send('POST', `${STOCK}/issues`, { item, units: 1, reason: 'First-aid box' })
  const issuedWhile = async (...change: Parameters<typeof meanwhile>) => {
    const changing = meanwhile(...change)
    await until('the batch is locked', async () => {
      const [row] = await asOwner<{ free: boolean }>(
        `select exists (select from app.ledger_account where batch_id = $1 for update skip locked) as free`,
        [change[0]],
      )
      return !row!.free
    })
    const answer = await issuing()
    await changing
    return answer
  }
  expect(await issuedWhile(first, first, 'Withdrawn')).toMatchObject({
    status: 409,
    body: { code: 'platform.stock-not-usable' },
  })
  expect(await issuedWhile(second, first, 'Active')).toMatchObject({
    status: 409,
    body: { code: 'platform.stock-changed' },
  })
  expect((await issuing()).status).toBe(204)
})

test('what is out of use stays listed until nothing of it is left', async () => {
  const name = `Old drug ${Date.now()}`
  const { id: item } = await nurse.ok('POST', '/api/registers/medical/item/items', {
    data: { name, kind: 'drug', unit: 'tablet', least: 5 },
  })
  const received = { item, number: 'LEFT', expiresOn: day(90), units: 3, reason: 'Delivery' }
  await nurse.ok('POST', `${STOCK}/receipts`, received)
  await nurse.ok('POST', `/api/registers/medical/item/items/${item}/status`, { status: 'Inactive' })
  const listed = async () => (await nurse.get(`${STOCK}?search=${encodeURIComponent(name)}`)).items
  expect(await listed()).toMatchObject([{ id: item, active: false, usable: 3 }])
  expect(await nurse.send('POST', `${STOCK}/receipts`, received)).toMatchObject({
    status: 422,
    body: { errors: [{ field: '/item', code: 'platform.item-inactive' }] },
  })
  await nurse.ok('POST', `${STOCK}/issues`, { item, units: 3, reason: 'First-aid box' })
  expect(await listed()).toEqual([])
})

test('what has expired is written off by two people, over HTTP and for nobody else', async () => {
  const name = `Expired drug ${Date.now()}`
  const { id: item } = await nurse.ok('POST', '/api/registers/medical/item/items', {
    data: { name, kind: 'drug', unit: 'tablet', least: 0 },
  })
  const received = { item, number: 'GONE', expiresOn: day(-3), units: 12, reason: 'Delivery' }
  const { id: batch } = await nurse.ok('POST', `${STOCK}/receipts`, received)
  const of = async (person: Person) =>
    (await person.get(`${STOCK}?search=${encodeURIComponent(name)}`)).items[0].batches[0] as {
      onHand: number
      waits: { id: string; mayConfirm: boolean } | null
    }
  const writesOff = { units: -12, reason: 'Expired' }
  expect(await nurse.ok('POST', `${STOCK}/batches/${batch}/corrections`, writesOff)).toEqual({ waits: true })
  const { onHand, waits } = await of(nurse)
  expect([onHand, waits?.mayConfirm, (await of(doctor)).waits?.mayConfirm]).toEqual([12, false, true])
  await until('a second person is asked', async () =>
    (await doctor.get('/api/mailbox')).items.some(
      (mail: { template: string; subject: string; body: string }) =>
        mail.template === 'platform.mail.stock-reduction-waits' &&
        mail.subject.includes(name) &&
        mail.body.endsWith('/medicalunit/drugs'),
    ),
  )
  const at = `${STOCK}/batches/${batch}/reductions/${waits!.id}/decision`
  expect(await nurse.send('POST', at, { confirmed: true })).toMatchObject({
    status: 403,
    body: { code: 'platform.stock-needs-another' },
  })
  expect((await (await as('student.nuwan')).send('POST', at, { confirmed: true })).status).toBe(404)
  expect(await nurse.send('POST', `${STOCK}/batches/${batch}/counts`, { units: 3, reason: 'Count' })).toMatchObject({
    status: 409,
    body: { code: 'platform.stock-reduction-waits' },
  })
  // Somebody else refuses it, with a reason that who entered it is told.
  expect(await doctor.send('POST', at, { confirmed: false })).toMatchObject({
    body: { errors: [{ field: '/reason', code: 'platform.field-required' }] },
  })
  await doctor.ok('POST', at, { confirmed: false, reason: 'Twelve are left' })
  expect((await of(nurse)).waits).toBeNull()
  expect((await nurse.get(`${STOCK}/batches/${batch}/movements`)).items[0]).toMatchObject({
    ...{ units: -12, reason: 'Expired', confirmedBy: null },
    dropped: { by: (await doctor.get('/api/me')).name, reason: 'Twelve are left' },
  })
  await until('who entered it is told', async () =>
    (await nurse.get('/api/mailbox')).items.some(
      (mail: { template: string; subject: string }) =>
        mail.template === 'platform.mail.stock-reduction-dropped' && mail.subject.includes(name),
    ),
  )
  await nurse.ok('POST', `${STOCK}/batches/${batch}/corrections`, writesOff)
  const again = `${STOCK}/batches/${batch}/reductions/${(await of(nurse)).waits!.id}/decision`
  await doctor.ok('POST', again, { confirmed: true })
  expect(await doctor.send('POST', at, { confirmed: true })).toMatchObject({
    status: 409,
    body: { code: 'platform.stock-reduction-decided' },
  })
  expect((await nurse.get(`${STOCK}/batches/${batch}/movements`)).items[0]).toMatchObject({
    ...{ kind: 'corrected', units: -12, reason: 'Expired' },
    ...{ by: (await nurse.get('/api/me')).name, confirmedBy: (await doctor.get('/api/me')).name },
  })
})

test('scans of a new patient at the same moment all find the one record', async () => {
  const [student] = await asOwner<{ nic: string }>(
    `select e.data ->> 'nic' as nic from app.register_item e
     where e.register = 'platform/student' and e.status = 'active' and e.data ->> 'nic' is not null
       and not exists (select from app.register_reference r where r.target_id = e.id and r.path = '/student'
         and r.item_id in (select id from app.register_item where register = 'medical/patient'))
     order by random() limit 1`,
  )
  const scans = [doctor, head, nurse, doctor, head, nurse].map((by) =>
    by.send('POST', '/api/medical/arrivals', { shown: student!.nic }),
  )
  const answers = await Promise.all(scans)
  expect(answers.map(({ status }) => status)).toEqual(scans.map(() => 200))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('numbers that are somebody’s are free; after ten refused ones no number opens anything', async () => {
  const forget = () => asOwner(`delete from app.throttle where key like 'opening:%'`)
  await forget()
  const shows = async (shown: string) => (await head.send('POST', '/api/medical/arrivals', { shown })).status
  for (let at = 0; at < 12; at += 1) expect(await shows(card)).toBe(200)
  for (let at = 0; at < 10; at += 1) expect(await shows(`NOBODY-${at}`)).toBe(404)
  expect([await shows('NOBODY-10'), await shows(card)]).toEqual([429, 429])
  await forget()
})

test('statistics name no group below five', async () => {
  const { rows } = await doctor.get('/api/reports/medical/statistics')
  const shown: string[] = rows.map(({ patients }: { patients: string }) => patients)
  expect(shown).toContain('< 5')
  expect(shown.every((one) => one === '< 5' || Number(one) >= 5)).toBe(true)
  expect((await admin.send('GET', '/api/reports/medical/statistics')).status).toBe(404)
})
