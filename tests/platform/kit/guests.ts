import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { folderStore } from '../../../api/platform/records/files/store.ts'
import { artifact } from '../../../api/platform/model/definitions/artifact.ts'
import { deployRepositoryModels } from '../../../api/platform/model/deployed/deployment.ts'
import { type Library, loadLibrary } from '../../../api/platform/model/library/library.ts'
import type { Rules } from '../../../api/platform/model/deployed/rules.ts'
import { FLOW, library as twoDesks } from '../fixtures/two-desks.ts'
import { caseServices } from './case-services.ts'
import { agreeingEngine } from './agreeing-engine.ts'
import { type TestApp, testApp } from './app.ts'
import { type TestDatabase, freshDatabase } from './database.ts'
import { writeAsStranger } from './proof.ts'
import { anItem } from './rows.ts'

/** The public URL of these tests' product. */
export const PUBLIC_URL = 'http://localhost:4400'

/** A purpose that only unknown people may state. */
export const ONCE_TOO_OFTEN = 'Once too often'

/** The sub-process in which the flow learns that its requester is confirmed. */
export const DESKS = 'subProcess_desks'

/** A flow over two desks that a guest may start too, and the office of its department for others. */
function publicLibrary(): Library {
  const { forms } = loadLibrary(join(import.meta.dirname, '../../..'))
  const flow = twoDesks.flows.get(FLOW)!
  const manifest = { ...flow.manifest, public: true as const, onBehalf: { by: ['group:ResourceReservationViews'] } }
  // At its desks it also learns that the requester's address is confirmed.
  const bpmn = artifact(
    'bpmn',
    flow.bpmn.key,
    flow.bpmn.content
      .replace('<bpmn:process ', '<bpmn:message id="message_booker" name="message_bookerConfirmed" />$&')
      .replace(
        '</bpmn:process>',
        `<bpmn:boundaryEvent id="boundary_confirmed" attachedToRef="${DESKS}" cancelActivity="false">
          <bpmn:messageEventDefinition id="messageDefinition_confirmed" messageRef="message_booker" />
        </bpmn:boundaryEvent>$&`,
      ),
  )
  return {
    ...twoDesks,
    forms: new Map([...forms, ...twoDesks.forms]),
    flows: new Map([[FLOW, { ...flow, manifest, bpmn }]]),
  }
}

/** A check that applies only to known people. */
const onceKnown: Rules['check'] = async ({ data, requester: { guest } }) =>
  data['purpose'] === ONCE_TOO_OFTEN && !guest ? [{ field: '/purpose', code: 'platform.cannot-change' }] : []

export type GuestWorld = Awaited<ReturnType<typeof guestWorld>>

/** The HTTP side with that flow, over an engine that accepts everything. */
export async function guestWorld() {
  const database: TestDatabase = await freshDatabase()
  const { db } = database
  const log = pino({ level: 'silent' })
  const library = publicLibrary()
  const { engine } = agreeingEngine()
  const { definitions, sender, cases, tasks } = caseServices({
    db,
    library,
    engine,
    rules: new Map([[FLOW, { check: onceKnown }]]),
    publicUrl: PUBLIC_URL,
  })
  await deployRepositoryModels({ db, engine, library, log, gate: async () => undefined })
  const store = folderStore(mkdtempSync(join(tmpdir(), 'prakriya-guests-')))
  const own: TestApp = await testApp(database, { library, definitions, cases, tasks, sender, store })
  const department = await anItem(db, 'platform/department')

  let days = 0
  const write = (url: string, payload: object, headers: Record<string, string> = {}) =>
    writeAsStranger(own.app, url, payload, headers)

  /** A request for a free slot. */
  function aRequest(more: object = {}) {
    days += 1
    const at = (hour: number) => new Date(Date.UTC(2031, 0, days, hour)).toISOString()
    return { department, purpose: 'Recital', from: at(9), until: at(11), ...more }
  }

  return {
    database,
    db,
    own,
    library,
    department,
    write,
    aRequest,

    /** Books as a guest. */
    book: (account: object, more: object = {}, headers: Record<string, string> = {}) =>
      write('/api/public/bookings', { flow: FLOW, data: aRequest(), account, understood: true, ...more }, headers),

    /** The mails to an address, newest first. */
    mailsTo: (address: string) =>
      db.selectFrom('mail').selectAll().where('recipient', '=', address).orderBy('id', 'desc').execute(),

    async close() {
      await own.close()
      await database.drop()
    },
  }
}

let guests = 0

/** An unknown person. */
export function aGuest(more: object = {}) {
  guests += 1
  return {
    salutation: 'Ms',
    full_name: 'Kumari Perera',
    email: `kumari.${guests}@example.lk`,
    contact_no: '0771231231',
    nic: `2000${String(guests).padStart(8, '0')}`,
    ...more,
  }
}
