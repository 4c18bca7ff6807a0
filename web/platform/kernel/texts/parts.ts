/** Only the API uses these: mails, heads of pages, search words of flows, and errors that no form checks and no page names. */
const serverOnly =
  /^platform\.(mail\.|page-head\.|(engine|database)-away$|too-(few|late|many)-[\w-]+$|view-[\w-]+$|(act-not-possible|body-too-large|cursor-invalid|decided-before|filter-unknown|idempotency-key-reused|ledger-below-zero|media-type-unknown|nothing-to-hold|not-withdrawable|own-second-factor|question-over|slot-taken|sole-only|version-wanted)$)|\.search-words\./

/** Errors: the API sends them as text, so the browser has only those that it checks itself. */
const errorCode = /^platform\.\w+-[\w-]+$/

/** Platform texts that load only with some pages: section → the second parts of its keys. */
const sections: Readonly<Record<string, readonly string[]>> = {
  account: [
    'account',
    'challenge',
    'confirm',
    'confirmation',
    'identity',
    'passkey',
    'password',
    'proof',
    'second',
    'signin',
    'signup',
    'totp',
    'username',
  ],
  audit: ['audit', 'erasure', 'erasures'],
  case: [
    'age',
    'case',
    'cases',
    'comment',
    'draft',
    'crop',
    'history',
    'mailed',
    'moves',
    'nic',
    'run',
    'signature',
    'start',
    'steps',
    'task',
    'why',
  ],
  answer: ['answer'],
  camera: ['camera'],
  decide: ['decide', 'link'],
  form: ['check', 'form'],
  home: ['home'],
  operations: ['operations'],
  people: ['effect', 'grant', 'groups', 'import', 'name', 'people', 'person', 'post', 'posts', 'role', 'scope'],
  profile: ['profile'],
  register: ['batch', 'entry', 'holiday', 'register', 'registers', 'sealed'],
  report: ['report'],
  stock: ['stock'],
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

/** Pages that use a section, besides those whose name starts with it. */
const shownBy: Readonly<Record<string, string>> = {
  account: 'profile',
  apply: 'case',
  cases: 'case',
  'confirm-booking': 'track',
  'confirm-email': 'account',
  'create-account': 'account',
  'desks-report': 'team',
  'forgot-password': 'account',
  group: 'people',
  groups: 'people',
  mailbox: 'case',
  'own-record': 'case',
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

/** The texts that every page needs; they come with the list of the language's other parts. */
export const BASE = 'open.platform'

/**
 * The part that contains a key, of public texts (`open`) or of those behind the sign-in (`staff`); undefined if
 * browsers never show it.
 */
export function partOf(key: string, kind: 'open' | 'staff'): string | undefined {
  const [, area, name = ''] = /^([a-z-]+)\.(\w*)/.exec(key) ?? []
  if (area === undefined || serverOnly.test(key)) return undefined
  const code = kind === 'staff' && errorCode.test(key) ? 'errors' : undefined
  const section = area === 'platform' ? (sectionOf.get(name) ?? code) : undefined
  return `${kind}.${area}${section === undefined ? '' : `.${section}`}`
}

/** The parts that a page of this name uses besides those of its area. */
function partsOfPage(page: string): string[] {
  const section = shownBy[page] ?? page.replace(/-.*/, '')
  return section in sections ? [`open.platform.${section}`, `staff.platform.${section}`] : []
}

/** The parts that may contain a key, for visitors or for pages behind the sign-in. */
export const partsOf = (key: string, staff: boolean): string[] =>
  (staff ? (['open', 'staff'] as const) : (['open'] as const)).flatMap((kind) => partOf(key, kind) ?? [])

/** The parts that may contain these keys, and those that a page uses. */
export const partsOfKeys = (keys: readonly string[], page: string, staff: boolean): string[] => [
  ...new Set([
    ...keys.flatMap((key) => partsOf(key, staff)),
    ...partsOfPage(page).filter((part) => staff || part.startsWith('open')),
  ]),
]
