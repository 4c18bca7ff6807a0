import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Library, Screen } from '../../api/platform/model/library/library.ts'
import type { Manifest } from '../../api/platform/model/definitions/manifest.ts'
import { shapeProblems } from '../../api/platform/model/library/shapes/shapes.ts'
import type { RegisterDefinition } from '../../api/platform/model/definitions/register.ts'
import type { Scenario } from '../../api/platform/model/definitions/scenario.ts'
import { checkWiring, wiring } from './check/wiring.ts'
import { type Product, jsonOf, readProduct } from './check/wiring/product.ts'

let product: Product

beforeAll(async () => {
  product = await readProduct(join(import.meta.dirname, '../..'))
})

function withLibrary(change: (library: Library) => Partial<Library>, of = product): Product {
  return { ...of, library: { ...of.library, ...change(of.library) } }
}

function withManifest(key: string, change: Partial<Manifest>, of = product): Product {
  const flow = of.library.flows.get(key)!
  const changed = { ...flow, manifest: { ...flow.manifest, ...change } }
  return withLibrary(({ flows }) => ({ flows: new Map(flows).set(key, changed) }), of)
}

function withRegister(key: string, change: Partial<RegisterDefinition>, of = product): Product {
  const changed = { ...of.library.registers.get(key)!, ...change }
  return withLibrary(({ registers }) => ({ registers: new Map(registers).set(key, changed) }), of)
}

function withField(key: string, name: string, change: object): Product {
  const { item } = product.library.registers.get(key)!
  const field = { ...item.properties![name], ...change }
  return withRegister(key, { item: { ...item, properties: { ...item.properties, [name]: field } } })
}

function withScreen(wanted: string, change: Partial<Screen>): Product {
  const changed = (screen: Screen) => (screen.route === wanted ? { ...screen, ...change } : screen)
  return withLibrary(({ screens }) => ({ screens: screens.map(changed) }))
}

function withFile<T>(file: string, change: (content: T) => T): Product {
  const changed = JSON.stringify(change(jsonOf<T>(product, file)))
  return { ...product, text: (path) => (path === file ? changed : product.text(path)) }
}

/** The product with two of its flows: what scenarios may say is read from each diagram again. */
function ofTwoFlows(change: (library: Library) => Partial<Library>): Product {
  const two = ({ flows }: Library) => new Map([resignation, booking].map((key) => [key, flows.get(key)!]))
  return withLibrary((library) => ({ flows: two(library), ...change(library) }))
}

/** The product in which one flow has only this scenario. */
function withScenario(change: Partial<Scenario>): Product {
  const scenario = { name: 'x', steps: [], expect: {}, ...change }
  return ofTwoFlows(({ scenarios }) => ({ scenarios: new Map(scenarios).set('resource-booking', [scenario]) }))
}

function withEnglish(texts: Record<string, string>): Product {
  return withLibrary(({ texts: known }) => ({ texts: { ...known, en: { ...known.en, ...texts } } }))
}

function without<T>(map: ReadonlyMap<string, T>, key: string): Map<string, T> {
  if (!map.has(key)) throw new Error(`there is no ${key}`)
  return new Map([...map].filter(([one]) => one !== key))
}

const resignation = 'resignations/resignation'
const booking = 'resource-reservation/resource-booking'
const voucher = 'vouchers/payment-voucher'
const bursary = 'bursary/bursary-application'
const awardLetter = 'scholarships/award-letter'
const staffText = 'resignations.clearance'
const people = 'forms/platform/people.demo.json'
type People = { username: string; grants: { role: string; scope?: object }[] }[]

/** Per rule area and kind of fault: a product with that fault, and one line of the check's output. */
const faults: Record<keyof typeof wiring, Record<string, () => [Product, line: string]>> = {
  topics: {
    'a topic that no diagram asks for': () => [
      withLibrary(({ topics }) => ({
        topics: new Map(topics).set('instruments.note-condition', { needs: [], gives: [], raises: [] }),
      })),
      'workers/instruments/note-condition.ts: no diagram asks for instruments.note-condition: name it at a service task of a diagram, or delete the worker',
    ],
    'a topic that no schedule asks for': () => [
      { ...product, nodes: without(product.nodes, 'platform/morning-digest') },
      'workers/platform/send-digests.ts: no diagram asks for platform.send-digests: name it at a diagram that a timer starts, or delete the worker',
    ],
    'an error that a worker raises': () => [
      withLibrary(({ errors }) => ({ errors: without(errors, 'vouchers.cheque-used') })),
      'workers/vouchers/pay.ts: the error vouchers.cheque-used is not declared: add it to forms/vouchers/errors.json',
    ],
    'an error of a slot': () => [
      withManifest(booking, { allocations: [{ item: '/resource', from: '/from', until: '/until', code: 'a.taken' }] }),
      `forms/${booking}.flow.json: the error a.taken is not declared: add it to forms/a/errors.json`,
    ],
    'an error that code throws': () => [
      withLibrary(({ errors }) => ({ errors: without(errors, 'platform.no-ended-case') })),
      'the error platform.no-ended-case is not declared: add it to forms/platform/errors.json',
    ],
  },
  flows: {
    'a variable that only rules name': () => [
      withManifest('scholarships/scholarship-submission', { derives: ['familyIncome', 'scholarshipType'] }),
      'api/scholarships/scholarship-submission.rules.ts: the manifest does not name the variable studentFaculty: add it to derives',
    ],
    'a start form': () => [
      withManifest(resignation, { start: 'resignations/letter' }),
      `forms/${resignation}.flow.json /start: there is no form resignations/letter: write forms/resignations/letter.form.json`,
    ],
    'a first status': () => [
      withManifest(resignation, { firstStatus: { status: 'Asked' } }),
      `forms/${resignation}.flow.json /firstStatus/status: Asked is no state of request: add it to forms/resignations/statuses.json`,
    ],
    'a pointer into the start form': () => [
      withManifest(booking, { columns: ['/evnt'] }),
      `forms/${booking}.flow.json: /evnt leads to no field of the form resource-reservation/booking-request: correct it, or add the field`,
    ],
    'a pointer into the item that a field names': () => [
      withManifest(booking, { subject: { room: '/resource#/data/room' } }),
      `forms/${booking}.flow.json: /resource#/data/room leads to no field of the form resource-reservation/booking-request: correct it, or add the field`,
    ],
    'a pointer into the form of an act': () => [
      withManifest(booking, {
        acts: product.library.flows.get(booking)!.manifest.acts!.map((act) => ({
          ...act,
          ...(act.allocations && { allocations: [{ ...act.allocations[0]!, until: '/til' }] }),
        })),
      }),
      `: /til leads to no field of the form resource-reservation/`,
    ],
    'a field that a flow is started for': () => [
      withManifest('intakes/status-change', { startedAt: { item: '/students/*/pupil', code: 'platform.not-allowed' } }),
      'forms/intakes/status-change.flow.json /startedAt/item: /students/*/pupil names no item of a register: correct it',
    ],
    'a flow that is started at a unit for others': () => [
      withManifest('intakes/status-change', { onBehalf: { by: ['MA'] } }),
      'forms/intakes/status-change.flow.json /startedAt: the units are those of who sends the form',
    ],
    'what a flow gathers': () => [
      withManifest('intakes/status-change', { gathers: { items: '/students/*/pupil', alike: {} } }),
      'forms/intakes/status-change.flow.json /gathers/items: /students/*/pupil names no item of a register in the form intakes/status-change-request: correct it',
    ],
    'a register that a flow gathers': () => [
      withLibrary(({ registers }) => ({ registers: without(registers, 'platform/student') })),
      'forms/intakes/status-change.flow.json /gathers/items: there is no register platform/student: write forms/platform/student.register.json',
    ],
    'a field by which a flow gathers': () => [
      withManifest('intakes/status-change', {
        gathers: { items: '/students/*/student', alike: { '/faculty': '/school' } },
      }),
      'forms/intakes/status-change.flow.json /gathers/alike: /school is no field of platform/student: correct it',
    ],
    'a requester who is claimed': () => [
      withManifest('intakes/status-change', { claims: 'requester' }),
      'forms/intakes/status-change.flow.json /claims: nobody needs an entry of their own: add requester, or name a field',
    ],
    'a link that a step ends': () => [
      withManifest('field-visits/field-visit', { linked: [] }),
      'processes/field-visits/field-visit.bpmn serviceTask_endVehicles: no link vehicle of the manifest has `ends`: name one that has',
    ],
    'a fact that ends an act': () => [
      withManifest(booking, {
        acts: product.library.flows.get(booking)!.manifest.acts!.map((act) => ({ ...act, unless: ['gone'] })),
      }),
      '/unless: there is no fact gone: add it to /facts',
    ],
    'a register that lists requesters': () => [
      withManifest(bursary, { listed: { receivesMahapola: { register: 'mahapola/recipient', person: '/scheme' } } }),
      `forms/${bursary}.flow.json /listed/receivesMahapola: /scheme of mahapola/recipient names no item of platform/student: name a field that does`,
    ],
    'a question of a desk': () => [
      withManifest(resignation, { question: { userTask_nowhere: 'resignations.question.recommend' } }),
      `forms/${resignation}.flow.json /question/userTask_nowhere: processes/resignations/resignation.bpmn has no such desk: name one that it has`,
    ],
    'a start page': () => [
      withManifest(resignation, { startPage: '/employee/leave-us' }),
      `forms/${resignation}.flow.json /startPage: there is no screen /employee/leave-us: add it to forms/resignations/screens.json`,
    ],
    'an answer that agrees': () => [
      withManifest(voucher, { agreement: { to: ['/payee'], by: { userTask_pay: 'nod' } } }),
      `forms/${voucher}.flow.json: no desk userTask_pay of processes/${voucher}.bpmn answers nod: name an outcome of its form`,
    ],
    'a fact that a document prints': () => [
      withLibrary(({ documents }) => {
        const { facts: _, ...letter } = documents.get(awardLetter)!
        return { documents: new Map(documents).set(awardLetter, letter) }
      }),
      `forms/${awardLetter}.document.json: it prints the fact award, which it does not declare: add it to /facts`,
    ],
    'a mail to a desk': () => {
      const drawn = product.nodes.get(voucher)!.filter(({ id }) => id !== 'userTask_settle')
      return [
        { ...product, nodes: new Map(product.nodes).set(voucher, drawn) },
        'its mail goes to the desk userTask_settle, which is not drawn: name one that is',
      ]
    },
    'a decision table': () => [
      withLibrary(({ flows }) => ({ flows: new Map(flows).set(resignation, { ...flows.get(resignation)!, dmn: [] }) })),
      'no table of processes/resignations holds the decision resignation-desks: add it, or name one that is there',
    ],
    'a process of two manifests': () => [
      withManifest(resignation, { process: 'audit' }),
      `forms/${resignation}.flow.json /process: audit is the process of forms/audit/audit.flow.json already: give it a name of its own`,
    ],
  },
  scenarios: {
    'the scenarios of a flow': () => [
      ofTwoFlows(({ scenarios }) => ({ scenarios: without(scenarios, 'resignation') })),
      `processes/${resignation}.scenarios.json: resignation has no scenarios: write one for each end that a case can come to`,
    ],
    'the output of a worker in a scenario': () => [
      withScenario({}),
      `processes/${booking}.scenarios.json: no scenario says what resource-reservation.settle-deposit answers: add "topics": {"resource-reservation.settle-deposit":{"gives":{"refundDue":"…"}}} to those that come to `,
    ],
    'a desk in a scenario': () => [
      withScenario({ steps: [{ desk: 'userTask_nowhere' }] }),
      `processes/${booking}.scenarios.json “x”: processes/${booking}.bpmn has no userTask_nowhere: name an element that it has`,
    ],
    'a variable that routes nothing': () => [
      withScenario({ start: { colour: 'red' } }),
      `processes/${booking}.scenarios.json “x”: no path depends on colour: take it out of its start`,
    ],
    'scenarios of no flow': () => [
      ofTwoFlows(({ scenarios }) => ({ scenarios: new Map(scenarios).set('farewell', []) })),
      'farewell.scenarios.json: there is no flow of this process: name it as one, or delete it',
    ],
  },
  registers: {
    'a register that a field names': () => [
      withLibrary(({ registers }) => ({ registers: without(registers, 'vouchers/payee') })),
      ': there is no register vouchers/payee: write forms/vouchers/payee.register.json',
    ],
    'a field of x-order': () => {
      const key = 'resignations/resignation'
      const { forms } = product.library
      const form = forms.get(key)!
      const changed = { ...form, schema: { ...form.schema, 'x-order': ['lettr'] } }
      return [
        withLibrary(() => ({ forms: new Map(forms).set(key, changed) })),
        `forms/${key}.form.json: x-order names lettr, which is no field: add it to properties, or take it out`,
      ]
    },
    'a column of a register': () => [
      withRegister('vouchers/payee', { columns: ['/nme'] }),
      'forms/vouchers/payee.register.json /columns: /nme is no field of item: add it, or take it out',
    ],
    'a sensitive field that is searched': () => {
      const { item } = product.library.registers.get('platform/employee')!
      const [name] = Object.entries(item.properties!).find(([, field]) => field['x-sensitive'])!
      return [
        withRegister('platform/employee', { search: [`/${name}`] }),
        `forms/platform/employee.register.json /search: /${name} is x-sensitive: take it out`,
      ]
    },
    'a list in which a subject stands': () => [
      withField('students/registration-setup', 'limits', {
        'x-listed': { at: '/batch#/data/way', names: 'x', code: 'x' },
      }),
      'forms/students/registration-setup.register.json: x-listed names /batch#/data/way, which leads to no field: mend it',
    ],
    'a field of the rows of that list': () => [
      withField('students/registration-setup', 'limits', {
        'x-listed': { at: '/batch#/data/curriculum#/data/subjects', names: 'course', with: { year: 1 }, code: 'x' },
      }),
      'forms/students/registration-setup.register.json: x-listed names course, which rows of /batch#/data/curriculum#/data/subjects do not have: mend it',
    ],
    'a number of the rows of that list': () => [
      withField('students/registration-setup', 'limits', {
        'x-listed': { at: '/batch#/data/curriculum#/data/subjects', names: 'subject', with: { yr: 1 }, code: 'x' },
      }),
      'forms/students/registration-setup.register.json: x-listed names yr, which rows of /batch#/data/curriculum#/data/subjects do not have: mend it',
    ],
    'the days by which set-ups stay apart': () => [
      withField('students/registration-setup', 'closes', { 'x-apart': { from: 'opened', by: ['batch'], code: 'x' } }),
      'forms/students/registration-setup.register.json: x-apart names opened, which is no field: mend it',
    ],
    'a related list': () => [
      withRegister('vouchers/payee', { related: [{ register: 'vouchers/branch', field: '/name', title: 'x' }] }),
      'forms/vouchers/payee.register.json /related: /name of vouchers/branch is no filter that names items of vouchers/payee: add it to the filters of forms/vouchers/branch.register.json',
    ],
    'a field of a letter': () => {
      const { item } = product.library.registers.get('students/letter-kind')!
      const text_si = { ...item.properties!['text_si'], 'x-placeholders': ['name'] }
      return [
        withRegister('students/letter-kind', { item: { ...item, properties: { ...item.properties, text_si } } }),
        'forms/students/letter-kind.register.json: x-placeholders of /text_si are not the fields of forms/students/letter.document.json: write degree, department, faculty',
      ]
    },
    'a final status': () => [
      withRegister('vouchers/payee', { final: ['Gone'] }),
      'forms/vouchers/payee.register.json /final: Gone is not one of the later statuses: add it to /statuses, behind the first',
    ],
    'an account of books': () => {
      const { books } = product.library.registers.get('vouchers/vote')!
      return [
        withRegister('vouchers/vote', { books: { ...books!, to: 'elsewhere' } }),
        'forms/vouchers/vote.register.json /books: there is no account elsewhere: add it to /books/accounts',
      ]
    },
    'a field that a title begins with': () => [
      withRegister('vouchers/payee', { titleWith: ['/nme'] }),
      'forms/vouchers/payee.register.json /titleWith: /nme is no field of item: add it, or take it out',
    ],
    'a status that people set, and only cases end': () => [
      withRegister('instruments/instrument', { held: ['Lost'] }),
      'forms/instruments/instrument.register.json /held: only cases may set Lost: have it in /statuses, and not in /byHand',
    ],
    'a status of new items': () => [
      withRegister('instruments/instrument', { begins: ['New'] }),
      'forms/instruments/instrument.register.json /begins: New is no status of the register: take it out, or add it to /statuses',
    ],
    'a field by which an entry is replaced': () => [
      withRegister('vehicles/licence', {
        expires: { ...product.library.registers.get('vehicles/licence')!.expires!, replacedBy: ['/lorry'] },
      }),
      'forms/vehicles/licence.register.json /lorry leads to no field of item: add it, or take it out',
    ],
    'a list in which a row is chosen': () => [
      withField('vehicles/maintenance', 'chosen', { 'x-row': { list: 'quotes', names: 'supplier' } }),
      'forms/vehicles/maintenance.register.json: x-row of chosen names a list or a field that is not there: mend it',
    ],
    'a field by which a row is the least': () => [
      withField('vehicles/maintenance', 'chosen', {
        'x-least': { list: 'quotations', names: 'supplier', by: 'amount', unless: 'whyNot' },
      }),
      'forms/vehicles/maintenance.register.json: x-least of chosen names a list or a field that is not there: mend it',
    ],
    'a field that counts instead of another': () => [
      withField('vehicles/vehicle', 'agreement', {
        'x-agrees': { hired_until: { notAfter: 'until', or: 'next_until_' } },
      }),
      'forms/vehicles/vehicle.register.json: x-agrees of hired_until names no field of agreements/agreement: mend it',
    ],
    'a type of file for what is drawn': () => [
      withField('vehicles/chart', 'signature', { 'x-drawn': true, 'x-accept': ['image/jpeg'] }),
      'forms/vehicles/chart.register.json: signature is drawn: take image/png in x-accept, and take x-crop out',
    ],
    'no shape for what is drawn': () => [
      withField('vehicles/chart', 'signature', { 'x-drawn': true, 'x-crop': { width: 600, height: 200 } }),
      'forms/vehicles/chart.register.json: signature is drawn: take image/png in x-accept, and take x-crop out',
    ],
    'a number that an entry is certified with': () => [
      withRegister('vehicles/maintenance', { certifiedWith: { '/quotations': '/kind#/data/needed' } }),
      'forms/vehicles/maintenance.register.json /kind#/data/needed leads to no field of item: add it, or take it out',
    ],
    'a report that a register leads to': () => [
      withRegister('vouchers/payee', { reports: [{ report: 'vouchers/cash-book', field: 'vote' }] }),
      'forms/vouchers/payee.register.json /reports: the filter of vouchers/cash-book has no field vote that names items of vouchers/payee: add it to forms/vouchers/cash-book.report.json',
    ],
    'a role that no post can be of': () => [
      withLibrary(({ roles }) => ({ roles: new Set([...roles, 'Luthier']) })),
      'forms/platform/post.register.json: no post can be of the role Luthier: add it to the enum of the field role',
    ],
    'a role of a post that does not exist': () => [
      withLibrary(({ roles }) => ({ roles: new Set([...roles].filter((role) => role !== 'Bursar')) })),
      'forms/platform/post.register.json: a post can be of the role Bursar, which forms/platform/roles.json has not: add it there',
    ],
  },
  people: {
    'people of a register that does not exist': () => [
      withManifest('instruments/instrument-loan', { onBehalf: { by: ['MA'], from: ['platform/guest'] } }),
      'forms/instruments/instrument-loan.flow.json /onBehalf/from: there is no register platform/guest: name one of people',
    ],
    'a role of a manifest': () => [
      withManifest(resignation, { seenBy: ['Luthier@department'] }),
      `forms/${resignation}.flow.json: there is no role Luthier@department: use one of forms/platform/roles.json`,
    ],
    'a permission group': () => [
      withRegister('vouchers/payee', { seenBy: ['group:Luthiers'] }),
      'forms/vouchers/payee.register.json: there is no permission group Luthiers: use one of forms/platform/groups.json',
    ],
    'a permission group that nobody holds': () => [
      withFile<Record<string, string[]>>('forms/platform/groups.json', (groups) => ({ ...groups, statusView: [] })),
      'forms/platform/groups.json: only administrators hold statusView: give it the roles of its office',
    ],
    'an owner of a flow': () => [
      withManifest(resignation, { process: 'farewell' }),
      `${people}: owner.flows does not own processes/resignations/resignation.bpmn: add the grant {"role":"Process Owner","scope":{"kind":"flow","id":"farewell"}} there`,
    ],
    'a role that a page has a number for': () => [
      withScreen('/ma/viewIntake/{id}', { parameters: { numbers: [{ for: ['Luthier'] }] } }),
      'forms/intakes/screens.json /ma/viewIntake/{id}: there is no role Luthier: use one of forms/platform/roles.json',
    ],
    'an operator': () => [
      withScreen('/operations', { roles: ['Luthier'] }),
      `${people}: nobody holds Luthier, which /operations is for: grant it to somebody`,
    ],
    'a role held in a unit': () => [
      withFile<People>(people, ([first, ...rest]) => [
        { ...first!, grants: [{ role: 'ADMIN', scope: { kind: 'department', id: 'x' } }] },
        ...rest,
      ]),
      `${people} admin: ADMIN is held in a unit: add it to /unitRoles of forms/platform/roles.json`,
    ],
    'a role of units that does not exist': () => [
      withLibrary(({ unitRoles }) => ({ unitRoles: new Set([...unitRoles, 'Luthier']) })),
      'forms/platform/roles.json /unitRoles: there is no role Luthier: add it to /roles, or take it out',
    ],
    'a role that is always held in a unit': () => [
      withLibrary(({ unitRoles }) => ({ unitRoles: new Set([...unitRoles].filter((role) => role !== 'MA')) })),
      'forms/platform/roles.json: MA is always held in a unit: add it to /unitRoles',
    ],
  },
  screens: {
    'a route of the source': () => [
      withLibrary(({ screens }) => ({ screens: screens.filter(({ route }) => route !== '/session/signin') })),
      'forms/session/screens.json: there is no screen for /session/signin: add one, or a line to forms/platform/placeholders.json',
    ],
    'a route that is declared twice': () => [
      withLibrary(({ screens }) => ({ screens: [...screens, screens.find(({ route }) => route === '/inbox')!] })),
      'forms/platform/screens.json: /inbox is declared twice: delete one',
    ],
    'a field that the address fills in': () => [
      withScreen('/welfare/hostel/apply-for/{id}', {
        parameters: { flow: 'hostel/hostel-application', given: { id: 'intake' } },
      }),
      'forms/hostel/screens.json /welfare/hostel/apply-for/{id}: there is no field of the start form id: name one that exists',
    ],
    'the entry that a public screen shows': () => [
      withScreen('/jobvacancy/{id}', { entry: 'platform/employee' }),
      'forms/recruitment/screens.json /jobvacancy/{id}: there is no public register platform/employee: name one that exists',
    ],
    'what a screen shows': () => [
      withScreen('/inbox', { page: 'inbx' }),
      'forms/platform/screens.json /inbox: there is no page inbx: name one that exists',
    ],
    'a desk, status or flow of a screen': () => [
      withScreen('/inbox', { parameters: { desks: ['userTask_nowhere'] } }),
      'forms/platform/screens.json /inbox: there is no desk userTask_nowhere: name one that exists',
    ],
    'a column that no flow has': () => [
      withScreen('/vouchers/all_voucher_requests', { parameters: { flow: voucher, columns: ['remarks'] } }),
      'forms/vouchers/screens.json /vouchers/all_voucher_requests: remarks is no column: add it to columns of forms/vouchers/payment-voucher.flow.json',
    ],
    'a column that would be empty': () => [
      withManifest(voucher, { subject: {} }),
      'forms/vouchers/screens.json /vouchers/all_voucher_requests: the column payee would be empty: add it to subject of forms/vouchers/payment-voucher.flow.json',
    ],
    'a list that a field cannot narrow': () => [
      withScreen('/vouchers/all_voucher_requests', { parameters: { flow: voucher, only: { remarks: 'x' } } }),
      'forms/vouchers/screens.json /vouchers/all_voucher_requests: it cannot be filtered by remarks: mark it x-filter',
    ],
    'the guard of a page that is not built yet': () => [
      withScreen('/convocation', { guard: 'Luthiers' }),
      'forms/platform/placeholders.json /convocation: there is no permission group Luthiers: name one that exists',
    ],
    'a link to a page that is closed to its reader': () => [
      withScreen('/myprofile', { roles: ['Bursar'] }),
      'forms/platform/screens.json /account: Registrar may open it and may not open /myprofile: narrow its guard or roles',
    ],
    'a page that creates what its readers may not create': () => [
      withManifest('year-renewals/year-renewal', { startedBy: ['Bursar'] }),
      'may open it and may not make what it makes: narrow its guard or roles',
    ],
    'a register that readers of its page may not read': () => [
      withRegister('vouchers/vote', { seenBy: ['Shroff Counter Officer'] }),
      'forms/vouchers/screens.json /vouchers/vote_number: Bursar may open it and may not read its register: narrow its guard or roles',
    ],
  },
  words: {
    'a text of another area': () => [
      withFile<Record<string, string>>('forms/public/texts.si.json', (texts) => ({ ...texts, 'vouchers.x': 'x' })),
      'forms/public/texts.si.json: vouchers.x does not begin with public.: rename it',
    ],
    'a placeholder that English does not have': () => [
      withFile<Record<string, string>>('forms/platform/texts.si.json', (texts) => ({
        ...texts,
        'platform.field-required': '{{x}}',
      })),
      'forms/platform/texts.si.json: platform.field-required has {{x}}, which English has not: take it out, or add it there',
    ],
    'an English text': () => [
      withManifest(resignation, { title: 'resignations.farewell' }),
      'forms/resignations/texts.staff.en.json: the text resignations.farewell is missing (used by flow resignations/resignation): add it',
    ],
    'the text of a person that steps name': () => [
      withManifest(resignation, { people: { successor: 'resignations.person.successor' } }),
      'forms/resignations/texts.staff.en.json: the text resignations.person.successor is missing (used by flow resignations/resignation): add it',
    ],
    'a text of the public in Sinhala': () => [
      withLibrary(({ texts }) => ({ texts: { ...texts, si: {} } })),
      'forms/resource-reservation/texts.si.json: the text resource-reservation.booking is missing (used by flow resource-reservation/resource-booking, before anybody signs in): add it',
    ],
    'a staff text on an open page': () => [
      withLibrary(({ screens }) => ({
        screens: [...screens, { ...screens[0]!, route: '/open', guard: 'public', title: staffText }],
      })),
      `forms/resignations/texts.staff.en.json: ${staffText} is shown before anybody signs in (screen /open): move it to texts.en.json`,
    ],
    'an element that texts name differently from the diagram': () => [
      withEnglish({ 'resignations.desk.userTask_checkByMA': 'Look at it' }),
      'forms/resignations/texts: resignations.desk.userTask_checkByMA is “Look at it”, and the diagram calls it “Check as Management Assistant”: write the same',
    ],
    'an element that no diagram has': () => [
      withEnglish({ 'resignations.desk.userTask_nowhere': 'Sign' }),
      'forms/resignations/texts: resignations.desk.userTask_nowhere names an element that no diagram has: take it out',
    ],
    'a table that texts name differently': () => [
      withEnglish({ 'resignations.decision.resignation-desks': 'Who signs' }),
      'forms/resignations/texts: resignations.decision.resignation-desks is “Who signs”, which its table does not say: write the same',
    ],
    'an error without a text': () => [
      withLibrary(({ errors }) => ({ errors: new Map(errors).set('instruments.in-repair', { status: 409 }) })),
      'forms/instruments/texts.en.json: the error instruments.in-repair has no text: add it',
    ],
  },
  dependencies: {
    'a package that is not explained': () => [
      withFile<{ dependencies: object }>('package.json', (file) => ({
        ...file,
        dependencies: { ...file.dependencies, leftpad: '1' },
      })),
      'docs/dependencies.md: it does not explain leftpad: add a line that says why it is needed',
    ],
    'a package that is gone': () => [
      withFile<{ dependencies: object }>('package.json', (file) => ({ ...file, dependencies: {} })),
      'docs/dependencies.md: it explains fastify, which package.json has not: take the line out',
    ],
  },
}

describe.each(Object.keys(faults) as (keyof typeof faults)[])('the wiring check of %s reports', (area) => {
  test.each(Object.keys(faults[area]))('%s', async (kind) => {
    const [broken, line] = faults[area][kind]!()
    expect(await checkWiring(broken, [area])).toContainEqual(expect.stringContaining(line))
  })
})

test('an error in the shape of a file is reported with file, pointer and reason', () => {
  const manifest = { ...product.library.flows.values().next().value!.manifest, startedBy: ['a,b'], colour: 'red' }
  expect(shapeProblems('forms/x/y.flow.json', manifest)).toEqual([
    { file: 'forms/x/y.flow.json', pointer: '/colour', reason: 'there is no such member' },
    { file: 'forms/x/y.flow.json', pointer: '/startedBy/0', reason: expect.stringContaining('pattern') },
  ])
})

test('wherever the reference of a payment or the file of its slip pays once, the other does, too', () => {
  const paid = [...product.library.forms].flatMap(([key, { schema }]) => {
    const fields = Object.entries(schema.properties ?? {})
    const once = fields.flatMap(([, field]) => (field['x-pays-once'] ? [field['x-widget'] === 'file'] : []))
    const slips = fields.filter(([name, field]) => /(^|_)slip$/.test(name) && field['x-widget'] === 'file')
    return once.length + slips.length === 0 ? [] : [{ key, once: once.toSorted() }]
  })
  expect(paid.length).toBeGreaterThan(5)
  expect(paid.filter(({ once }) => once.join() !== 'false,true')).toEqual([])
})
