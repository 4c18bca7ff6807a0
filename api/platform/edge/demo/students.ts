import { known } from '../../kernel/known.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'

/** The part of a demo person that their student entry needs. */
export interface StudentAccount {
  username: string
  name: string
  email: string
  grants: { role: string; scope?: { kind: string; id: string } }[]
}

export interface DemoStudent {
  key: string
  status: string
  data: JsonObject
}

const STUDENT_COUNT = 3000
/** Arbitrary but fixed, so that every installation has the same students. */
const SEED = 20260514
/** The intake that is in its first year now. */
const NEWEST_INTAKE = 2025

interface Faculty {
  key: string
  code: string
  share: number
  years: number
  /** Keys of the department, if there is one, of the degree program, and of its batches, if there are any. */
  departments: [department: string | undefined, programme: string, batches?: string][]
}

const faculties: Faculty[] = [
  {
    key: 'dance-and-drama',
    code: 'FDD',
    share: 0.36,
    years: 4,
    departments: [
      ['indigenous-dance', 'dance', 'dance'],
      ['ballet', 'ballet'],
      ['drama', 'drama'],
    ],
  },
  {
    key: 'music',
    code: 'FOM',
    share: 0.34,
    years: 4,
    departments: [
      ['music', 'music', 'music'],
      ['western-music', 'western-music', 'western-music'],
      ['folk-music', 'folk-music'],
    ],
  },
  {
    key: 'visual-arts',
    code: 'FVA',
    share: 0.24,
    years: 4,
    departments: [
      ['painting', 'painting', 'painting'],
      ['sculpture', 'sculpture'],
      ['graphic-design', 'graphic-design'],
    ],
  },
  {
    key: 'graduate-studies',
    code: 'FGS',
    share: 0.06,
    years: 2,
    departments: [[undefined, 'performing-arts', 'performing-arts']],
  },
]

const communities = [
  {
    share: 0.76,
    before: [
      'Wijesinghe Arachchilage',
      'Kankanamge Don',
      'Hewa Pathiranage',
      'Rajapaksha Mudiyanselage',
      'Weerakkody Appuhamilage',
      'Ranasinghe Gamage',
      'Herath Mudiyanselage',
      'Liyana Arachchige',
      'Kodikara Gedara',
      'Mudalige Don',
      'Warnakulasuriya',
      'Dissanayake Mudiyanselage',
    ],
    women: [
      'Sanduni',
      'Hiruni',
      'Nethmi',
      'Tharushi',
      'Kavisha',
      'Dilini',
      'Imesha',
      'Sachini',
      'Thilini',
      'Vindya',
      'Oshadi',
      'Chathurika',
      'Ruwani',
      'Madhavi',
      'Ishani',
      'Upeksha',
    ],
    men: [
      'Kasun',
      'Chamara',
      'Dulaj',
      'Sahan',
      'Pasindu',
      'Isuru',
      'Lahiru',
      'Ravindu',
      'Nipuna',
      'Dilshan',
      'Supun',
      'Akila',
      'Vimukthi',
      'Janith',
      'Gayan',
      'Thisara',
    ],
    last: [
      'Perera',
      'Fernando',
      'Silva',
      'Bandara',
      'Jayasinghe',
      'Wickramasinghe',
      'Gunasekara',
      'Rathnayake',
      'Dissanayake',
      'Herath',
      'Karunaratne',
      'Senanayake',
      'Weerasinghe',
      'Abeysekara',
      'Ekanayake',
      'Gamage',
      'Liyanage',
      'Samarasinghe',
      'Amarasinghe',
      'Pathirana',
      'Madushanka',
      'Kumarasinghe',
    ],
  },
  {
    share: 0.15,
    before: [
      'Sivasubramaniam',
      'Kandasamy',
      'Thambirajah',
      'Nadarajah',
      'Selvarajah',
      'Ponnambalam',
      'Arumugam',
      'Velupillai',
    ],
    women: ['Abirami', 'Dharshini', 'Kirthiga', 'Nivetha', 'Pavithra', 'Sangeetha', 'Tharani', 'Vaishnavi'],
    men: ['Aravinth', 'Dinesh', 'Kajan', 'Mayuran', 'Nirojan', 'Pirathap', 'Sujeevan', 'Thanush'],
    last: [
      'Sivakumar',
      'Rajaratnam',
      'Chandran',
      'Yogarajah',
      'Balasingam',
      'Kanagaratnam',
      'Sritharan',
      'Thevarajah',
      'Vigneswaran',
    ],
  },
  {
    share: 0.09,
    before: ['Mohamed', 'Abdul', 'Seyed', 'Mohideen'],
    women: ['Aaisha', 'Fathima', 'Hafsa', 'Nusrath', 'Rizna', 'Shifa', 'Zainab'],
    men: ['Ahamed', 'Faheem', 'Imthiyas', 'Nazeer', 'Rilwan', 'Shakir', 'Zameer'],
    last: ['Ismail', 'Marikkar', 'Cassim', 'Hameed', 'Jabbar', 'Mansoor', 'Saleem', 'Thahir'],
  },
] as const

/**
 * The demo students: those with an account, by username, and 3,000 without. They are the same on every installation.
 */
export function demoStudents(people: readonly StudentAccount[]): DemoStudent[] {
  const next = random(SEED)
  const accounts = people.flatMap((person) => {
    const grant = person.grants.find(({ role, scope }) => /student$/i.test(role) && scope?.kind === 'faculty')
    const faculty = faculties.find(({ key }) => grant?.scope?.id === `@platform/faculty/${key}`)
    return faculty ? [{ person, faculty }] : []
  })
  const serials = new Map<string, number>()
  const made = (index: number, faculty: Faculty, person?: StudentAccount): DemoStudent => {
    const year = 1 + Math.floor(next() * faculty.years)
    const began = NEWEST_INTAKE - (year - 1)
    const series = `${faculty.code}/${began}`
    const serial = (serials.get(series) ?? 0) + 1
    serials.set(series, serial)
    const regNo = `${series}/${String(serial).padStart(4, '0')}`
    const [department, programme, batches] = pick(faculty.departments, next)
    const { full, initials, woman } = nameOf(next, person?.name)
    const key = person?.username ?? regNo.toLowerCase().replaceAll('/', '-')
    return {
      key,
      status: person ? 'active' : statusOf(next()),
      data: {
        reg_no: regNo,
        full_name: full,
        name_with_initials: initials,
        nic: nicOf(began - 20 - Math.floor(next() * 4), woman, index, next),
        email: person?.email ?? `${key}@students.prakriya.example`,
        mobile_no: `07${pick(['0', '1', '2', '4', '5', '6', '7', '8'], next)}${digits(next, 7)}`,
        faculty: `@platform/faculty/${faculty.key}`,
        ...(department && { department: `@platform/department/${department}` }),
        programme: `@setup/degree-program/${programme}`,
        intake: `@intakes/intake/${began}`,
        ...(batches !== undefined && { batch: `@batches/batch/${batches}-${began}` }),
        year,
      },
    }
  }
  const others = faculties.flatMap((faculty) => Array<Faculty>(Math.round(STUDENT_COUNT * faculty.share)).fill(faculty))
  return [
    ...accounts.map(({ person, faculty }, index) => made(index, faculty, person)),
    ...others.map((faculty, index) => made(accounts.length + index, faculty)),
  ]
}

function nameOf(next: () => number, given?: string): { full: string; initials: string; woman: boolean } {
  const chance = next()
  const community = communities.find((_, index) => chance < sum(communities.slice(0, index + 1))) ?? communities[0]
  const woman = next() < 0.58
  const own = [pick(community.before, next), pick(woman ? community.women : community.men, next)]
  const full = given ?? `${own.join(' ')} ${pick(community.last, next)}`
  const parts = full.split(' ')
  const initials = parts.slice(0, -1).map((part) => `${part[0]}.`)
  return { full, initials: [...initials, parts.at(-1)].join(' '), woman }
}

function sum(shares: readonly { share: number }[]): number {
  return shares.reduce((total, { share }) => total + share, 0)
}

/** Year of birth, day of the year (plus 500 for women), a unique serial number, a last digit. */
function nicOf(born: number, woman: boolean, serial: number, next: () => number): string {
  const day = 1 + Math.floor(next() * 365) + (woman ? 500 : 0)
  return `${born}${String(day).padStart(3, '0')}${String(serial).padStart(4, '0')}${digits(next, 1)}`
}

function statusOf(chance: number): string {
  if (chance < 0.95) return 'active'
  return chance < 0.97 ? 'suspended' : chance < 0.99 ? 'unregistered' : 'deactivated'
}

function digits(next: () => number, count: number): string {
  return Array.from({ length: count }, () => Math.floor(next() * 10)).join('')
}

function pick<T>(list: readonly T[], next: () => number): T {
  return known(list[Math.floor(next() * list.length)], 'a member of the list')
}

/** Pseudo-random numbers from 0 to 1 for a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
