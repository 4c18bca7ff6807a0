/** What a derived field hangs on, as far as a schema says it. */
interface Deriving {
  properties?: Record<string, Deriving>
  'x-sum'?: unknown
  'x-words'?: unknown
  'x-same'?: unknown
  'x-plus'?: unknown
  'x-maps'?: unknown
}

/**
 * What was filled in, with what follows from it: `x-sum` is the sum of a number over the rows of a list
 * (`/lines/amount`), `x-words` an amount of cents in English words (`/total`), and while a yes of `x-same` is true its
 * fields hold what the others hold. `x-plus` is a day some months after that of another field (`of`), or a number more
 * than another, and `x-maps` what `to` names for the value of another (`of`). Whatever was sent in their place does not count; where nothing follows they are
 * absent.
 */
export function withDerived<Data extends object>(schema: object, data: Data): Data {
  const given: Record<string, unknown> = Object.fromEntries(Object.entries(data))
  const fields = Object.entries((schema as Deriving).properties ?? {})
  const put = (name: string, value: unknown) => {
    if (value === undefined) delete given[name]
    else given[name] = value
  }
  for (const [name, field] of fields) {
    const pairs = pairsOf(field['x-same'])
    if (pairs.length === 0) continue
    if (given[name] === undefined && pairs.every(([own, other]) => given[own] && given[own] === given[other]))
      given[name] = true
    if (given[name] === true) for (const [own, other] of pairs) put(own, given[other])
  }
  for (const [name, field] of fields) if (typeof field['x-sum'] === 'string') put(name, sumAt(given, field['x-sum']))
  for (const [name, field] of fields) if (isObject(field['x-plus'])) put(name, plus(given, field['x-plus']))
  for (const [name, field] of fields) if (isObject(field['x-maps'])) put(name, mapped(given, field['x-maps']))
  for (const [name, field] of fields)
    if (typeof field['x-words'] === 'string') {
      const cents = given[field['x-words'].slice(1)]
      put(name, typeof cents === 'number' ? amountInWords(cents) : undefined)
    }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only derived fields, which are optional, changed
  return given as Data
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function pairsOf(same: unknown): [own: string, other: string][] {
  return isObject(same) ? Object.entries(same).map(([own, other]) => [own, String(other)]) : []
}

/** The day of another field with `months` added, or its number with `number` added. */
function plus(
  data: Record<string, unknown>,
  { of, months, number }: Record<string, unknown>,
): string | number | undefined {
  const value = data[String(of)]
  if (typeof value === 'number' && typeof number === 'number') return value + number
  if (typeof value !== 'string' || typeof months !== 'number' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

/** What a value is in other words: a level's stage. */
function mapped(data: Record<string, unknown>, { of, to }: Record<string, unknown>): unknown {
  const value = data[String(of)]
  return typeof value === 'string' && isObject(to) && Object.hasOwn(to, value) ? to[value] : undefined
}

/** The sum over the rows of a list; undefined while no row has a number. */
function sumAt(data: Record<string, unknown>, pointer: string): number | undefined {
  const [list = '', part = ''] = pointer.split('/').slice(1)
  const rows = data[list]
  if (!Array.isArray(rows)) return undefined
  const numbers = rows
    .map((row: unknown) => (isObject(row) ? row[part] : null))
    .filter((value) => typeof value === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((all, one) => all + one, 0)
}

const small: readonly string[] = [
  ...['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const large = ['', ' thousand', ' million', ' billion', ' trillion']

/** Up to 999. */
function belowThousand(number: number): string {
  const [hundreds, rest] = [Math.floor(number / 100), number % 100]
  const words = rest < 20 ? small[rest] : [tens[Math.floor(rest / 10)], small[rest % 10]].filter(Boolean).join('-')
  return [hundreds > 0 ? `${small[hundreds]} hundred` : '', words].filter(Boolean).join(hundreds > 0 ? ' and ' : '')
}

function inWords(number: number): string {
  if (number === 0) return 'zero'
  const parts: string[] = []
  for (let left = number, power = 0; left > 0; left = Math.floor(left / 1000), power += 1)
    if (left % 1000 > 0) parts.unshift(`${belowThousand(left % 1000)}${large[power]}`)
  return parts.join(' ')
}

/** Cents of a rupee in English words, as vouchers and cheques bear them: `Rupees twelve and cents fifty only`. */
export function amountInWords(cents: number): string {
  const [rupees, rest] = [Math.floor(cents / 100), cents % 100]
  return `Rupees ${inWords(rupees)}${rest > 0 ? ` and cents ${inWords(rest)}` : ''} only`
}
