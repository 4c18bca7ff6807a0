import pg from 'pg'
import { statusChange } from '../../processes/intakes/status-change.generated.ts'
import { day } from '../../tests/platform/kit/days.ts'
import { as, type Person } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import type { Bench } from '../main.ts'
import { timed } from '../platform/inbox-rows.ts'
import { residentMiB } from '../platform/resident.ts'
import { percentile, rounded, sized } from '../platform/results.ts'

/** Students added by imports over HTTP; the demo data has some 3,000 more. */
const ADDED = Number(process.env['BENCH_STUDENTS'] ?? sized(47_000, 20))
const PER_IMPORT = sized(5000, 10)
const SAMPLES = sized(200, 2)
const CHANGES = sized(10, 1)
/** Students whose status one case changes. */
const PER_CHANGE = sized(100, 2)

const itemsOf = (register: string) => `/api/registers/${register}/items`
const STUDENTS = itemsOf('platform/student')
const { flow, desks } = statusChange
const MUSIC = 'Faculty of Music'

/**
 * Ours: lists, searches and filters at 50,000 students, each with five documents, an admission and a card, for those who
 * see all and for those of one faculty or department; imports of 5,000 lines; status changes of 100 students in one
 * case. Baseline: the same pages with the students of the demo data, earlier in the same run. Memory: of the API and
 * the workers, after the first and after the last half.
 */
const bench: Bench = {
  title: 'students: lists, imports and changes of status with 50,000 students, against 3,000',
  async run(say) {
    const [admin, affairs, faculty] = await Promise.all(['admin', 'ma.welfare', 'ar.music'].map(as))
    const before = await pages(say)

    const places = await placesOf(admin!)
    const imports: number[] = []
    const memory: number[] = []
    const workers: number[] = []
    const remember = () => {
      memory.push(residentMiB('api'))
      workers.push(residentMiB('workers'))
      return `API ${memory.at(-1)} MiB, workers ${workers.at(-1)} MiB`
    }
    for (let first = 0; first < ADDED; first += PER_IMPORT) {
      const csv = lines(first, Math.min(first + PER_IMPORT, ADDED), places)
      const [took] = await timed(async () => {
        const { added } = await admin!.ok('POST', '/api/registers/platform/student/imports', { csv, commit: true })
        if (added !== csv.split('\n').length - 1) throw new Error(`${added} added`)
      }, 1)
      imports.push(took! / 1000)
      say(`${first + PER_IMPORT} added: ${rounded(took! / 1000)} s, ${remember()}`)
    }
    await fill()
    const after = await pages(say)

    const changes: number[] = []
    for (let n = 0; n < CHANGES; n += 1) {
      const [took] = await timed(() => suspend(n, { admin: admin!, affairs: affairs!, faculty: faculty! }), 1)
      changes.push(took! / 1000)
      say(`${PER_CHANGE} suspended: ${rounded(took! / 1000)} s, ${remember()}`)
    }
    const half = Math.ceil(memory.length / 2)
    const grown = (all: number[]) => rounded(Math.max(...all.slice(half), 0) / Math.max(...all.slice(0, half)))
    return {
      figures: {
        'students added': ADDED,
        'pages p50 ms at 3,000': rounded(percentile(before.all, 0.5)),
        'pages p95 ms at 3,000': rounded(percentile(before.all, 0.95)),
        'pages p50 ms': rounded(percentile(after.all, 0.5)),
        'pages p95 ms': rounded(percentile(after.all, 0.95)),
        'slowest kind of page, p95 ms': rounded(after.slowest),
        'p95 to that at 3,000': rounded(percentile(after.all, 0.95) / percentile(before.all, 0.95)),
        'import of 5,000, slowest s': rounded(Math.max(...imports)),
        'status of 100, slowest s': rounded(Math.max(...changes)),
        'API MiB, largest of the first half': Math.max(...memory.slice(0, half)),
        'API MiB, largest of the last half': Math.max(...memory.slice(half), 0),
        'workers MiB, largest': Math.max(...workers),
        'memory, last half to first': grown(memory),
        'memory of workers, last half to first': grown(workers),
      },
      promises: [
        { figure: 'slowest kind of page, p95 ms', atMost: 300 },
        { figure: 'import of 5,000, slowest s', atMost: 20 },
        { figure: 'memory, last half to first', atMost: 1.1 },
        { figure: 'memory of workers, last half to first', atMost: 1.1 },
      ],
    }
  },
}
export default bench

/** Pages as people open them: who, and what they ask in each turn. */
interface Kind {
  readers: string[]
  asks(turn: number): string
  /** Reads the next page of what it asks first. */
  second?: true
}

/** Parts of names, most of which several students have. */
const PARTS = ['Silva', 'Perera', 'Kum', 'jay']

function kindsFor(
  { id: intake, batch, nic }: { id: string; batch: string; nic: string },
  students: readonly string[],
): Record<string, Kind> {
  const of = (readers: string[], register: string, query: (turn: number) => string = () => ''): Kind => ({
    readers,
    asks: (turn) => `${itemsOf(register)}?limit=50&${query(turn)}`,
  })
  const all = ['head.welfare', 'ma.music', 'hod.music']
  const keepers = ['head.welfare', 'ma.music']
  const student = (turn: number) => `filter.student=${students[turn % students.length]}`
  const search = (turn: number) => `search=${PARTS[turn % PARTS.length]}`
  return {
    students: of(all, 'platform/student'),
    'a second page of students': { ...of(all, 'platform/student'), second: true },
    'students of a batch': of(all, 'platform/student', () => `filter.batch=${batch}`),
    'identity card number': of(all, 'platform/student', () => `search=${nic}&whole=true`),
    'of an intake without an admission': of(
      keepers,
      'platform/student',
      () => `filter.intake=${intake}&lacks=students/admission`,
    ),
    'of an intake without a registration': of(
      keepers,
      'platform/student',
      () => `filter.intake=${intake}&casesOf=students/registration&caseStatus=none`,
    ),
    'progress of registrations': of(keepers, 'platform/student', () => 'casesOf=students/registration'),
    'part of a name': of(all, 'platform/student', search),
    'registration number': of(
      all,
      'platform/student',
      (turn) => `search=${encodeURIComponent(`FOM/2024/${String(1 + (turn % 90)).padStart(4, '0')}`)}`,
    ),
    'nobody of that name': of(all, 'platform/student', () => 'search=Nobody'),
    'students of an intake': of(all, 'platform/student', () => `filter.intake=${intake}`),
    'intake and status': of(all, 'platform/student', () => `filter.intake=${intake}&status=suspended`),
    'intake and name': of(all, 'platform/student', () => `filter.intake=${intake}&search=an`),
    'documents of a student': of(keepers, 'students/document', student),
    'documents to check': of(keepers, 'students/document', () => 'status=Uploaded'),
    'card of a student': of(keepers, 'id-cards/card', student),
    'cards by name': of(keepers, 'id-cards/card', search),
    'admission of a student': of(keepers, 'students/admission', student),
    'admissions of an intake': of(['ar.music'], 'admissions/admission', () => `filter.intake=${intake}`),
    'admissions by name': of(['ar.music'], 'admissions/admission', search),
    'accounts of an intake': {
      readers: ['head.information-technology'],
      asks: () => `/api/students/password-links?limit=50&intake=${intake}`,
    },
    'accounts without password': {
      readers: ['head.information-technology'],
      asks: () => '/api/students/password-links?limit=50&link=without-password',
    },
  }
}

interface Times {
  all: number[]
  /** The largest 95th percentile of a kind of page. */
  slowest: number
}

/** Milliseconds of every kind of page, by each of its readers in turn. */
async function pages(say: (line: string) => void): Promise<Times> {
  const [head] = await Promise.all(['head.welfare'].map(as))
  const [intake] = (await head!.get(`${itemsOf('intakes/intake')}?search=2024`)).items
  const [batch] = (await head!.get(`${itemsOf('batches/batch')}?limit=1`)).items
  const students = (await head!.get(`${STUDENTS}?limit=50&filter.intake=${intake.id}`)).items
  const kinds = kindsFor(
    { id: intake.id, batch: batch.id, nic: students[0].data.nic },
    students.map(({ id }: { id: string }) => id),
  )
  const all: number[] = []
  let slowest = 0
  for (const [kind, { readers: names, asks, second }] of Object.entries(kinds)) {
    const readers = await Promise.all(names.map(as))
    const cursors = await Promise.all(
      readers.map(async (reader) => (second ? encodeURIComponent((await reader.get(asks(0))).next) : '')),
    )
    let turn = 0
    const page = () => {
      const nr = turn % readers.length
      turn += 1
      return readers[nr]!.get(asks(turn) + (second ? `&cursor=${cursors[nr]}` : ''))
    }
    await timed(page, readers.length)
    const times = await timed(page, SAMPLES)
    all.push(...times)
    const p95 = percentile(times, 0.95)
    slowest = Math.max(slowest, p95)
    say(`${kind}: p50 ${rounded(percentile(times, 0.5))}, p95 ${rounded(p95)} ms`)
  }
  return { all, slowest }
}

/** Gives each student that was added five documents, an offer, an admission and a card, as the product stores them. */
async function fill(): Promise<void> {
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  try {
    // Generated rows are valid, so constraint triggers are skipped.
    await client.query(`set search_path to app; set session_replication_role = replica;
      create temp table added as select id, title, data from register_item
        where register = 'platform/student' and data ->> 'reg_no' like 'B/2020/%';
      create temp table made as
        select gen_random_uuid() as id, a.id as student, 'students/document' as register,
          (array['Approved', 'Pending Upload', 'Uploaded', 'Rejected'])[1 + (d.n + hashtext(a.id::text) % 4 + 4) % 4] as status,
          d.title as title, jsonb_build_object('name', d.title, 'student', a.id, 'document', d.id) as data
        from added a cross join (select id, title, row_number() over (order by title) as n from register_item
          where register = 'setup/registration-document' limit 5) as d
        union all select gen_random_uuid(), a.id, 'id-cards/card', 'Active', 'B' || (a.data ->> 'reg_no'),
          jsonb_build_object('number', 'B' || (a.data ->> 'reg_no'), 'student', a.id, 'reg_no', a.data ->> 'reg_no',
            'name', a.title, 'issued_on', '2026-01-05', 'valid_until', '2029-12-31') from added a
        union all select gen_random_uuid(), a.id, 'students/admission', 'Active', 'Arts 2019',
          jsonb_build_object('student', a.id, 'al_year', 2019, 'stream', 'Arts', 'district', 'Colombo') from added a
            where hashtext(a.id::text) % 10 <> 0
        union all select gen_random_uuid(), null, 'admissions/admission', 'Accepted', a.title,
          a.data || jsonb_build_object('number', a.data ->> 'reg_no', 'name_with_initials', a.title) from added a;
      insert into register_item (id, register, status, title, data)
        select id, register, status, title, data from made;
      insert into register_reference (item_id, path, target_id)
        select id, '/student', student from made where student is not null
        union all select id, '/document', (data ->> 'document')::uuid from made where register = 'students/document';
      analyze register_item; analyze register_reference`)
  } finally {
    await client.end()
  }
}

interface Places {
  faculty: string
  department: string
  programme: string
  intake: string
}

/** Codes or names by which an import finds a faculty, a department of it, and an intake. */
async function placesOf(admin: Person): Promise<Places[]> {
  const of = async (register: string) => (await admin.get(`/api/registers/${register}/items?limit=50`)).items
  const [departments, intakes, faculties, programs] = await Promise.all(
    ['platform/department', 'intakes/intake', 'platform/faculty', 'setup/degree-program'].map(of),
  )
  const isOfMusic = ({ data }: any) => facultyOf(data).title === MUSIC
  const facultyOf = (data: any) => faculties.find(({ id }: any) => id === data.faculty)
  // The Faculty of Music first, whose students are suspended.
  return departments
    .toSorted((a: any, b: any) => Number(isOfMusic(b)) - Number(isOfMusic(a)))
    .flatMap(({ id, data }: any) => {
      const program = programs.find((one: any) => one.data.department === id)
      if (!program) return []
      const at = { department: data.code, faculty: facultyOf(data).data.code, programme: program.data.code }
      return intakes.map(({ title: intake }: any) => ({ intake, ...at }))
    })
}

const names = ['Silva', 'Perera', 'Kumarasinghe', 'Jayawardena', 'Sivakumar', 'Fernando', 'Nadarajah', 'Gunasekara']

/** A file of students from one number to another. */
function lines(first: number, end: number, places: readonly Places[]): string {
  const rows = Array.from({ length: end - first }, (_, index) => {
    const n = first + index
    const { faculty, department, programme, intake } = places[n % places.length]!
    const nic = `1990${String(1 + (n % 365)).padStart(3, '0')}${String(Math.floor(n / 365)).padStart(5, '0')}`
    return [
      ...[`B/2020/${n}`, `Student ${n} ${names[n % names.length]}`, nic, `bench-${n}@prakriya.example`],
      ...[faculty, department, programme, intake, 'active'],
    ].join(',')
  })
  return ['reg_no,full_name,nic,email,faculty,department,programme,intake,status', ...rows].join('\n')
}

/** Suspends students of the Faculty of Music who were imported, and waits until it has taken effect. */
async function suspend(n: number, who: { admin: Person; affairs: Person; faculty: Person }): Promise<void> {
  const { items: faculties } = await who.admin.get('/api/registers/platform/faculty/items?search=Music')
  const at = `${STUDENTS}?status=active&search=B/2020&filter.faculty=${faculties[0].id}&limit=50`
  const students: { student: string }[] = []
  for (let next: string | null = ''; next !== null && students.length < PER_CHANGE;) {
    const page: any = await who.admin.get(next === '' ? at : `${at}&cursor=${encodeURIComponent(next)}`)
    students.push(...page.items.map(({ id }: { id: string }) => ({ student: id })))
    next = page.next
  }
  const change = await who.affairs.submit(flow, {
    ...{ kind: 'Status', becomes: 'suspended', faculty: faculties[0].id, effective_on: day(0) },
    ...{ students: students.slice(0, PER_CHANGE), reason: `Decision ${n} of the Board of Residence and Discipline` },
  })
  await who.faculty.decides(change, 'approve', {}, desks.approveByFacultyAR)
  await until(
    `the students of ${change.reference} are suspended`,
    async () => (await who.admin.get(`/api/cases/${change.id}`)).status.key === 'In Effect',
    { seconds: 120 },
  )
}
