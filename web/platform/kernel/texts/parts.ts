/** What only the API says: mails, and the words by which a flow is looked for. */
const serverOnly = /^platform\.mail\.|\.search-words\./

/** Errors, which the API answers in words: the browser has its own only for what it checks itself. */
const errorCode = /^platform\.\w+-[\w-]+$/

/** The words of the platform that come with some pages alone: section → the second parts of its keys. */
const sections: Readonly<Record<string, readonly string[]>> = {
  account: [
    'account',
    'challenge',
    'confirm',
    'confirmation',
    'password',
    'proof',
    'second',
    'signin',
    'signup',
    'username',
  ],
  audit: ['audit', 'erasure', 'erasures'],
  case: ['case', 'cases', 'comment', 'draft', 'history', 'task', 'why'],
  decide: ['decide'],
  form: ['check', 'form'],
  home: ['home'],
  operations: ['operations'],
  people: ['effect', 'grant', 'groups', 'import', 'name', 'people', 'person', 'post', 'posts', 'role', 'scope'],
  profile: ['profile'],
  register: ['batch', 'holiday', 'register', 'registers'],
  report: ['report'],
  studio: [
    'deployed',
    'migration',
    'model',
    'owners',
    'proposal',
    'scenario',
    'scenarios',
    'studio',
    'tables',
    'waiver',
  ],
  substitutes: ['substitutes'],
  team: ['team'],
  track: ['track', 'tracking'],
  verify: ['verify'],
}
const sectionOf = new Map(Object.entries(sections).flatMap(([section, names]) => names.map((name) => [name, section])))

/** The pages that show a section, beside those that begin with its name. */
const shownBy: Readonly<Record<string, string>> = {
  account: 'profile',
  cases: 'case',
  'confirm-booking': 'track',
  'confirm-email': 'account',
  'create-account': 'account',
  'desks-report': 'team',
  'forgot-password': 'account',
  group: 'people',
  groups: 'people',
  mailbox: 'case',
  person: 'people',
  post: 'people',
  posts: 'people',
  'set-password': 'account',
  'sign-up': 'account',
  signin: 'account',
  start: 'case',
  task: 'case',
  'working-calendar': 'register',
}

/** The words that every page has; they come with the list of all other parts of their language. */
export const BASE = 'open.platform'

/**
 * The part of all words that holds a key, of those that anybody may see (`open`) or of those behind the sign-in
 * (`staff`); undefined for what browsers never show.
 */
export function partOf(key: string, kind: 'open' | 'staff'): string | undefined {
  const [, area, name = ''] = /^([a-z-]+)\.(\w*)/.exec(key) ?? []
  if (area === undefined || serverOnly.test(key)) return undefined
  const code = kind === 'staff' && errorCode.test(key) ? 'errors' : undefined
  const section = area === 'platform' ? (sectionOf.get(name) ?? code) : undefined
  return `${kind}.${area}${section === undefined ? '' : `.${section}`}`
}

/** The parts that a page of this name shows beside those of its area. */
export function partsOfPage(page: string): string[] {
  const section = shownBy[page] ?? page.replace(/-.*/, '')
  return section in sections ? [`open.platform.${section}`, `staff.platform.${section}`] : []
}
