/** The values that one cell of a decision table matches: numbers as intervals, names as a list or all but a list. */
export type Values =
  | { kind: 'numbers'; parts: readonly Interval[] }
  | { kind: 'names'; all: boolean; names: ReadonlySet<string>; domain?: readonly string[] }

interface Interval {
  from: number
  to: number
  /** Whether the end point is included. */
  withFrom: boolean
  withTo: boolean
}

/** The type of an input; integers have no value between 1 and 2. */
export type Kind = 'number' | 'integer' | 'string' | 'boolean'

const everything: Interval = { from: -Infinity, to: Infinity, withFrom: false, withTo: false }

/** Every value of an input; `domain` lists the only possible ones, if the table does. */
export function allValues(kind: Kind, domain?: readonly string[]): Values {
  if (kind === 'number' || kind === 'integer') return { kind: 'numbers', parts: [everything] }
  const only = kind === 'boolean' ? ['true', 'false'] : domain
  return { kind: 'names', all: true, names: new Set(), ...(only && { domain: only }) }
}

/** Parses a cell; returns a reason if it cannot be analysed. */
export function readCell(text: string, kind: Kind, domain?: readonly string[]): Values | { unread: string } {
  const trimmed = text.trim()
  const all = allValues(kind, domain)
  if (trimmed === '' || trimmed === '-') return all
  const negated = /^not\s*\(([^]*)\)$/.exec(trimmed)
  const tests = listOf(negated?.[1] ?? trimmed)
  const values: Values[] = []
  for (const test of tests) {
    const read = readTest(test, kind, all)
    if ('unread' in read) return read
    values.push(read)
  }
  const union = unionOf(values, all)
  if (!negated) return union
  return union.kind === 'numbers' ? { kind: 'numbers', parts: outside(union.parts) } : without(all, union)
}

const number = '-?\\d+(?:\\.\\d+)?'
const comparison = new RegExp(`^(<=|>=|<|>)\\s*(${number})$`)
const interval = new RegExp(`^([\\[(\\]])\\s*(${number})\\s*\\.\\.\\s*(${number})\\s*([\\])\\[])$`)
const single = new RegExp(`^${number}$`)

function readTest(test: string, kind: Kind, all: Values): Values | { unread: string } {
  const unread = {
    unread: `“${test}” is not looked at: only fixed ${kind === 'string' ? 'texts' : kind === 'boolean' ? 'yes and no' : 'numbers'} are`,
  }
  if (all.kind === 'names') {
    const name = kind === 'boolean' ? /^(true|false)$/.exec(test)?.[1] : /^"([^"\\]*)"$/.exec(test)?.[1]
    return name === undefined ? unread : { ...all, all: false, names: new Set([name]) }
  }
  const whole = kind === 'integer'
  const one = (part: Interval): Values => ({ kind: 'numbers', parts: tidy([part], whole) })
  const compared = comparison.exec(test)
  if (compared) {
    const [, sign, text] = compared
    const value = Number(text)
    return one(
      sign?.startsWith('<')
        ? { ...everything, to: value, withTo: sign === '<=' }
        : { ...everything, from: value, withFrom: sign === '>=' },
    )
  }
  const between = interval.exec(test)
  if (between) {
    const [, open, from, to, close] = between
    return one({ from: Number(from), to: Number(to), withFrom: open === '[', withTo: close === ']' })
  }
  if (!single.test(test)) return unread
  return one({ from: Number(test), to: Number(test), withFrom: true, withTo: true })
}

/** Splits at commas outside texts and brackets. */
function listOf(text: string): string[] {
  const parts: string[] = ['']
  let quoted = false
  for (const letter of text) {
    if (letter === '"') quoted = !quoted
    if (letter === ',' && !quoted) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

/** Intersection. */
export function intersection(a: Values, b: Values): Values {
  if (a.kind === 'numbers' && b.kind === 'numbers')
    return {
      kind: 'numbers',
      parts: a.parts.flatMap((one) => b.parts.map((other) => meeting(one, other)).filter((part) => !hollow(part))),
    }
  if (a.kind !== 'names' || b.kind !== 'names') throw new Error('a column has one kind of value')
  if (a.all && b.all) return { ...a, names: new Set([...a.names, ...b.names]) }
  const [list, other] = a.all ? [b, a] : [a, b]
  return { ...a, all: false, names: new Set([...list.names].filter((name) => other.names.has(name) !== other.all)) }
}

/** `a` without `b`. */
export function without(a: Values, b: Values): Values {
  if (a.kind === 'names' && b.kind === 'names') return intersection(a, { ...b, all: !b.all })
  if (a.kind !== 'numbers' || b.kind !== 'numbers') throw new Error('a column has one kind of value')
  const parts = b.parts.reduce<readonly Interval[]>(
    (rest, cut) =>
      rest.flatMap((part) =>
        [
          { ...part, to: cut.from, withTo: !cut.withFrom },
          { ...part, from: cut.to, withFrom: !cut.withTo },
        ]
          .map((one) => meeting(one, part))
          .filter((one) => !hollow(one)),
      ),
    a.parts,
  )
  return { kind: 'numbers', parts }
}

/** Union of values, none of which is "all but a list". */
function unionOf(values: readonly Values[], all: Values): Values {
  if (all.kind === 'numbers')
    return { kind: 'numbers', parts: values.flatMap((one) => (one.kind === 'numbers' ? one.parts : [])) }
  const names = values.flatMap((one) => (one.kind === 'names' ? [...one.names] : []))
  return { ...all, all: false, names: new Set(names) }
}

/** The complement of intervals, in one pass: a table may have hundreds of cells with hundreds of numbers. */
function outside(parts: readonly Interval[]): Interval[] {
  const rest: Interval[] = []
  let [end, withEnd] = [-Infinity, true]
  for (const { from, to, withFrom, withTo } of parts.toSorted((a, b) => a.from - b.from)) {
    rest.push({ from: end, withFrom: !withEnd, to: from, withTo: !withFrom })
    if (to === end) withEnd ||= withTo
    if (to > end) [end, withEnd] = [to, withTo]
  }
  rest.push({ from: end, withFrom: !withEnd, to: Infinity, withTo: false })
  return rest.filter((part) => !hollow(part) && part.from !== Infinity && part.to !== -Infinity)
}

/** Normalises integer values, so that nothing lies between two neighbours. */
export function normalised(values: Values, kind: Kind): Values {
  return values.kind === 'numbers' ? { kind: 'numbers', parts: tidy(values.parts, kind === 'integer') } : values
}

function tidy(parts: readonly Interval[], whole: boolean): Interval[] {
  const made = whole
    ? parts.map(({ from, to, withFrom, withTo }) => ({
        from: Number.isFinite(from) ? (withFrom ? Math.ceil(from) : Math.floor(from) + 1) : from,
        to: Number.isFinite(to) ? (withTo ? Math.floor(to) : Math.ceil(to) - 1) : to,
        withFrom: Number.isFinite(from),
        withTo: Number.isFinite(to),
      }))
    : [...parts]
  return made.filter((part) => !hollow(part))
}

function meeting(a: Interval, b: Interval): Interval {
  const [low, high] = [a.from > b.from ? a : b, a.to < b.to ? a : b]
  return {
    from: low.from,
    to: high.to,
    withFrom: a.from === b.from ? a.withFrom && b.withFrom : low.withFrom,
    withTo: a.to === b.to ? a.withTo && b.withTo : high.withTo,
  }
}

function hollow({ from, to, withFrom, withTo }: Interval): boolean {
  return from > to || (from === to && !(withFrom && withTo))
}

export function hasNoValues(values: Values): boolean {
  if (values.kind === 'numbers') return values.parts.length === 0
  if (!values.all) return values.names.size === 0
  return values.domain?.every((name) => values.names.has(name)) ?? false
}

/** Whether everything matches, so that it need not be mentioned. */
export function isEverything(values: Values): boolean {
  if (values.kind === 'numbers') return values.parts.some(({ from, to }) => from === -Infinity && to === Infinity)
  return values.all ? values.names.size === 0 : (values.domain?.every((name) => values.names.has(name)) ?? false)
}

/** As words after the label of the input: `is “staff”`, `is more than 100`. */
export function inWords(values: Values): string {
  if (values.kind === 'numbers') return values.parts.map(intervalInWords).join(' or ')
  const left = values.all && values.domain ? values.domain.filter((name) => !values.names.has(name)) : undefined
  const names = [...(left ?? values.names)].map((name) => `“${name}”`)
  const listed = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
  return values.all && !left ? (names.length === 0 ? 'is anything' : `is other than ${listed}`) : `is ${listed}`
}

function intervalInWords({ from, to, withFrom, withTo }: Interval): string {
  if (from === to) return `is ${from}`
  const low = Number.isFinite(from) ? `${withFrom ? 'at least' : 'more than'} ${from}` : ''
  const high = Number.isFinite(to) ? `${withTo ? 'at most' : 'less than'} ${to}` : ''
  return low || high ? `is ${[low, high].filter(Boolean).join(' and ')}` : 'is any number'
}
