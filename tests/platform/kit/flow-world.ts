import { join } from 'node:path'
import { pino } from 'pino'
import { deployRepositoryModels } from '../../../api/platform/model/deployed/deployment.ts'
import type { Definitions } from '../../../api/platform/model/deployed/definitions.ts'
import { loadRules } from '../../../api/platform/model/deployed/rules.ts'
import { type Flow, type Library, loadLibrary } from '../../../api/platform/model/library/library.ts'
import { agreeingEngine } from './agreeing-engine.ts'
import { type TestApp, testApp } from './app.ts'
import { caseServices } from './case-services.ts'
import { type TestDatabase, freshDatabase } from './database.ts'
import { day } from './days.ts'
import { anItem } from './rows.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The product's library. */
export const real = loadLibrary(ROOT)
export const APTITUDE = 'aptitude-tests/aptitude-application'

export interface FlowWorld {
  database: TestDatabase
  own: TestApp
  library: Library
  definitions: Definitions
  close(): Promise<void>
}

interface Given {
  /** Flows and forms of the test. */
  more?: readonly Flow[]
  forms?: Library['forms']
  /** The time of the API; that of the machine by default. */
  clock?: () => Date
}

/** The HTTP side with some flows of the product and of the test, over an engine that accepts everything. */
export async function flowWorld(
  keys: readonly string[],
  { more = [], forms = new Map(), clock }: Given = {},
): Promise<FlowWorld> {
  const database = await freshDatabase()
  const { db } = database
  const shipped = keys.map((key) => real.flows.get(key)!)
  const flows = new Map([...shipped, ...more].map((flow) => [flow.key, flow]))
  const library = { ...real, flows, forms: new Map([...real.forms, ...forms]) }
  const processOf = (key: string) => flows.get(key)!.manifest.process
  const engine = {
    ...agreeingEngine().engine,
    deploy: async ({ name }: { name: string }) => [
      { id: `${name}:1`, key: processOf(name), version: 1, deploymentId: name, resource: `${name}.bpmn` },
    ],
  }
  const rules = await loadRules(ROOT, keys)
  const { definitions, cases } = caseServices({ db, library, engine, rules, ...(clock && { clock }) })
  const log = pino({ level: 'silent' })
  await deployRepositoryModels({ db, engine, library, log, gate: async () => undefined })
  const own = await testApp(database, { library, definitions, cases, ...(clock && { clock }) })
  const close = async () => {
    await own.close()
    await database.drop()
  }
  return { database, own, library, definitions, close }
}

/** An aptitude test that is open. */
export const anOpenTest = ({ database: { db } }: FlowWorld): Promise<string> =>
  anItem(db, 'aptitude-tests/aptitude-test', {
    data: {
      academic_year: '2031/2032',
      start_date: day(-5),
      end_date: day(5),
      programmes: [{ name: 'BPA in Dance' }],
      fee: 150_000,
    },
  })

/** A good application for an aptitude test. */
export const anAptitudeApplication = (test: string, nic = '200613500001') => ({
  test,
  full_name: 'Kumari Perera',
  nic,
  mobile_no: '0771231231',
  index_no: '3012499',
  programmes: [{ programme: 'BPA in Dance', grade: 'B' }],
  other_subjects: ['Sinhala', 'Geography'].map((subject) => ({ subject, grade: 'A' })),
  general_english: 'C',
  common_general_test: 61,
  declaration: true,
})
