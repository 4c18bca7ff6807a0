import { statusChange } from '../../processes/intakes/status-change.generated.ts'
import { day } from '../../tests/platform/kit/days.ts'
import { expectCase } from '../../tests/platform/kit/expectations.ts'
import { as, type Person } from '../../tests/platform/kit/people.ts'
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

const STUDENTS = '/api/registers/platform/student/items'
const { flow, desks } = statusChange
const MUSIC = 'Faculty of Music'

/**
 * Ours: lists, searches and filters of students at 50,000, for those who see all and for those of one faculty or
 * department; imports of 5,000 lines; status changes of 100 students in one case. Baseline: the same pages with the
 * students of the demo data, earlier in the same run. Memory: of the API, after the first and after the last half.
 */
const bench: Bench = {
  title: 'students: lists, imports and changes of status with 50,000 students, against 3,000',
  async run(say) {
    const [admin, affairs, faculty] = await Promise.all(['admin', 'ma.welfare', 'ar.music'].map(as))
    const readers = await Promise.all(['head.welfare', 'ma.music', 'hod.music'].map(as))
    const before = await pages(readers, say)

    const places = await placesOf(admin!)
    const imports: number[] = []
    const memory: number[] = []
    for (let first = 0; first < ADDED; first += PER_IMPORT) {
      const csv = lines(first, Math.min(first + PER_IMPORT, ADDED), places)
      const [took] = await timed(async () => {
        const { added } = await admin!.ok('POST', '/api/registers/platform/student/imports', { csv, commit: true })
        if (added !== csv.split('\n').length - 1) throw new Error(`${added} added`)
      }, 1)
      imports.push(took! / 1000)
      memory.push(residentMiB('api'))
      say(`${first + PER_IMPORT} added: ${rounded(took! / 1000)} s, API ${memory.at(-1)} MiB`)
    }
    const after = await pages(readers, say)

    const changes: number[] = []
    for (let n = 0; n < CHANGES; n += 1) {
      const [took] = await timed(() => suspend(n, { admin: admin!, affairs: affairs!, faculty: faculty! }), 1)
      changes.push(took! / 1000)
      memory.push(residentMiB('api'))
      say(`${PER_CHANGE} suspended: ${rounded(took! / 1000)} s, API ${memory.at(-1)} MiB`)
    }
    const half = Math.ceil(memory.length / 2)
    return {
      figures: {
        'students added': ADDED,
        'pages p50 ms at 3,000': rounded(percentile(before, 0.5)),
        'pages p95 ms at 3,000': rounded(percentile(before, 0.95)),
        'pages p50 ms': rounded(percentile(after, 0.5)),
        'pages p95 ms': rounded(percentile(after, 0.95)),
        'p95 to that at 3,000': rounded(percentile(after, 0.95) / percentile(before, 0.95)),
        'import of 5,000, slowest s': rounded(Math.max(...imports)),
        'status of 100, slowest s': rounded(Math.max(...changes)),
        'API MiB, largest of the first half': Math.max(...memory.slice(0, half)),
        'API MiB, largest of the last half': Math.max(...memory.slice(half), 0),
        'memory, last half to first': rounded(Math.max(...memory.slice(half), 0) / Math.max(...memory.slice(0, half))),
      },
      promises: [
        { figure: 'pages p95 ms', atMost: 300 },
        { figure: 'import of 5,000, slowest s', atMost: 20 },
        { figure: 'memory, last half to first', atMost: 1.1 },
      ],
    }
  },
}
export default bench

/** Milliseconds of pages of students as people open them, by every reader in turn. */
async function pages(readers: readonly Person[], say: (line: string) => void): Promise<number[]> {
  const all: number[] = []
  const [intake] = (await readers[0]!.get('/api/registers/intakes/intake/items?search=2024')).items
  const kinds: Record<string, (turn: number) => string> = {
    list: () => '',
    'next page': () => 'next',
    'part of a name': (turn) => `search=${['Silva', 'Perera', 'Kum', 'jay'][turn % 4]}`,
    'registration number': (turn) =>
      `search=${encodeURIComponent(`FOM/2024/${String(1 + (turn % 90)).padStart(4, '0')}`)}`,
    'nobody of that name': () => 'search=Nobody',
    intake: () => `filter.intake=${intake.id}`,
    'intake and status': () => `filter.intake=${intake.id}&status=suspended`,
    'intake and name': () => `filter.intake=${intake.id}&search=an`,
  }
  for (const [kind, query] of Object.entries(kinds)) {
    let turn = 0
    const page = async () => {
      const reader = readers[turn % readers.length]!
      const asked = query((turn += 1))
      if (asked !== 'next') return reader.get(`${STUDENTS}?limit=50&${asked}`)
      const { next } = await reader.get(`${STUDENTS}?limit=50`)
      return reader.get(`${STUDENTS}?limit=50&cursor=${encodeURIComponent(next)}`)
    }
    await timed(page, readers.length)
    const times = await timed(page, SAMPLES)
    all.push(...times)
    say(`${kind}: p50 ${rounded(percentile(times, 0.5))}, p95 ${rounded(percentile(times, 0.95))} ms`)
  }
  return all
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
  await expectCase(change).toBe('In Effect')
}
