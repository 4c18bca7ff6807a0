import type { JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import { isObject } from '../../kernel/objects.ts'
import type { Agreements, Apart, ChosenRow, EarlierRows, LeastRow, Listed, NotLater } from './field-rules.ts'

/** The side on which an account grows: assets and expenses by debits, the others by credits. */
export type AccountKind = 'asset' | 'liability' | 'income' | 'expense'

/** `forms/<area>/<name>.register.json`, which describes a register. Fields are JSON pointers into an entry's data. */
export interface RegisterDefinition {
  /** Text key. */
  title: string
  /** JSON Schema of an entry's data, with hints. */
  item: FieldSchema
  titleField: string
  /** Fields shown before the title wherever an entry is named. */
  titleWith?: string[]
  /** The title in other languages: lists and choices show the reader's, all other places all of them. */
  titleIn?: { si?: string; ta?: string }
  /** Between these fields and the title; a space by default. */
  titleSeparator?: string
  /** The day, month or moment by which lists show the latest first; by title without it. */
  newestBy?: string
  codeField?: string
  /** Location of an entry, for calendars. */
  place?: string
  statuses: [inUse: string, ...others: string[]]
  /** Statuses after which an entry never changes. */
  final?: string[]
  /**
   * Fields that another person has to certify. A new entry, or one with changes in them, is in the second status until
   * then.
   */
  certified?: string[]
  /**
   * Who is told of entries that wait for certification, of those who may certify: roles, `Role@kind` for the unit of the
   * entry. Nobody is told of entries that they wrote themselves.
   */
  certifiers?: string[]
  /** Entries that fields with `x-selection` choose among, by name. */
  selections?: Record<string, Selection>
  /** The role that the person of an entry gets with their account. */
  role?: RoleOfEntry
  /** Fields that nobody fills in before it is certified. */
  onceCertified?: string[]
  /** List → lookup of a number: it has at least as many rows when it is certified. */
  certifiedWith?: Record<string, string>
  /** Of bank accounts: the field with the first number of the cheque book in use. */
  cheques?: string
  /**
   * A new entry can be made from an entry, as its next version: `next` is the number that counts them, `clears` are
   * fields that are entered again, `compare` is the route, with `{id}`, of the page that compares versions.
   */
  versions?: { next: string; clears: string[]; compare?: string }
  /** The system creates and changes the entries; people only change their status, and the fields of `corrected`. */
  fixed?: boolean
  /** Fields of entries of a fixed register that people may change. */
  corrected?: string[]
  /** Text key of what is said once an entry is saved, instead of its name. */
  saved?: string
  /**
   * The field with the number of the case whose steps wrote an entry: people change only entries without one. The
   * database keeps an entry of a case as it is once that case has ended.
   */
  ofCase?: string
  /** The status of entries that people make, and others that an import may name. Absent: those of `byHand`. */
  begins?: [usual: string, ...others: string[]]
  /** Statuses that people may set; the others are those of the cases that lead its entries. Absent: all. */
  byHand?: string[]
  /** Statuses that only cases end: people set no other status while an entry has one of them. */
  held?: string[]
  /** Statuses that people may set for many entries at once, each with the statuses of the entries that get it. */
  inBulk?: Record<string, string[]>
  /** Reports linked from an entry's page, each with the filter field for the entry. */
  reports?: { report: string; field: string }[]
  /**
   * Every entry has ledger accounts, `<register>:<item id>:<name>`. A change of its `amount` (cents) is posted from one
   * of them to another; those of `clear` must be empty before it gets a final status.
   */
  books?: { amount: string; accounts: Record<string, AccountKind>; from: string; to: string; clear: string[] }
  /** What everybody sees without signing in; absent means nothing. */
  public?: { where?: Record<string, string | number | boolean>; fields: string[] }
  search?: string[]
  /** Fields by whose whole value these people find an item if they ask for it, even if the fields are sensitive. */
  searchWhole?: { fields: string[]; by: string[] }
  filters?: string[]
  columns?: string[]
  /** The entry whose units are also those of this entry: `/recipient#/data/student`. */
  belongsTo?: string
  /** Entries can be printed: the document, whose holder makes it verifiable, and the fields that it needs of an entry. */
  paper?: PaperOfEntry
  /** Entries end, and their keepers are told before. */
  expires?: ExpiryOfEntry
  /** The start page of those who see them shows the entries in use between two days. */
  news?: NewsOfEntry
  /** Entries that their person still has to give back or settle: who leaves is not cleared meanwhile. */
  owed?: OwedEntry
  /** Of people: who reads what somebody still has to give back or settle. They read it about themselves anyway. */
  clearedBy?: string[]
  /** A field: the file for an import has a line for each entry that it may name and that the reader sees. */
  template?: string
  /**
   * The field that names the person an entry is about, by the entry about them: they see it, sensitive fields
   * included. With `changed` they also write it, with `madeBy` those with one of these roles do. `or` are further such fields, of which an entry has one.
   */
  own?: { by: string; or?: string[]; changed?: true; madeBy?: string[] }
  /** Fields that the person of an entry about themselves changes, without another right. */
  ownCorrects?: string[]
  /** Roles, `Role@kind` for the unit of the entry, `*` for all signed-in people. */
  changedBy: string[]
  seenBy: string[]
  /**
   * The person whose own entry the field `by` (`/advisers/*\/employee`) of the entry at `at` names sees the entry, without
   * its sensitive fields.
   */
  entrustedTo?: { at: string; by: string }
  /** Entries to which a pointer leads (`/batch#/data/curriculum`), whose titles its page names to all who see the entry. */
  tells?: { title: string; at: string }[]
  /** People with a role of `seenBy` in one unit see the entries of all units, and those of none. */
  seenAnywhere?: boolean
  /** Field → roles of `seenBy` that see only the entries with a value in it. */
  seenFor?: Record<string, string[]>
  /** The field that names the unit whose people an entry is meant for; without a value it is meant for everybody. */
  addressed?: string
  /** First and last day (which an entry may lack): only who changes entries sees them on other days. */
  shownBetween?: { from: string; until: string }
  /** Who reads `x-sensitive` fields, beside people who may change the entry. */
  sensitiveTo?: string[]
  /** The register has encrypted fields (`x-encrypted`), and nobody else sees it, whatever else they see. */
  sealed?: SealedRegister
  /** Entries are batches of consumables. */
  stock?: StockOfBatches
  /**
   * The status of an entry follows other entries, and says why: `reason` and `since` (a day) are fields that get the
   * reason of the rule, or `byPeople`, if given, if people put the entry out of use. The first rule that demands a status counts.
   */
  follows?: { reason: string; since: string; byPeople?: string; rules: FollowRule[] }
  /** Lists on an entry's page: the entries of another register that name it in a field. */
  related?: RelatedList[]
}

/**
 * Entries of a register that name an entry in a field; `states` shows those of all statuses, each with its status. Each
 * entry should have one that is `wanted`: lists find those that lack it.
 */
export interface RelatedList {
  register: string
  field: string
  title: string
  columns?: string[]
  /** A field with a picture, shown before the title. */
  picture?: string
  states?: true
  wanted?: true
  /** The statuses in which an entry should have one; absent: all. */
  wantedIn?: string[]
}

/**
 * What an entry follows. Either the status of the entry that its field `at` names: status there → status here. Or a
 * number in the entries of a register whose field `same` names the same as `at`: if it is below the minimum in the entry
 * with the greatest `newest`, the status is `becomes`. The minimum may be that of an entry: `/scheme#/data/minimum`.
 */
export type FollowRule = { register: string; at: string; reason: string } & (
  | { statuses: Record<string, string> }
  | { same: string; newest: string; value: string; minimum: string; becomes: string }
)

/**
 * Who reads and writes encrypted fields, once they have opened the record of the person that an entry is about: `about`
 * names it, in an entry of another register; without it the entry is that record. What the person shows opens it
 * (`shows`, lookups of its number, or a card in use that names the same as a field of the record), unless one of
 * `restricted` (lookups) is true. Without it one of `reasons` does, for an hour, which the first of `tell` (roles, or
 * `Role@kind`) that somebody else holds is mailed.
 */
export interface SealedRegister {
  to: string[]
  about?: string
  shows?: (string | { register: string; code: string; names: string; is: string })[]
  restricted?: string[]
  reasons?: Choice[]
  tell?: string[]
  mail?: string
}

/** A value, and the text key of its words. */
export interface Choice {
  const: string
  title: string
}

/** Fields of a batch: what it is a batch of, its number, its last day; and of what it is a batch, the unit and the least. */
export interface StockOfBatches {
  of: string
  number: string
  expires: string
  unit: string
  least: string
}

/**
 * An entry is still owed by the person named in one of the fields of `by`, in the statuses of `in`. `with` are fields that
 * say what it is, `due` the day by which it is given back; what `lapses` is not owed any more after that day.
 */
export interface OwedEntry {
  by: string[]
  in: string[]
  with?: string[]
  due?: string
  lapses?: true
}

/** The first and the last day on which an entry is news, and what is said below its title. */
export interface NewsOfEntry {
  from: string
  until: string
  text: string
}

/**
 * Until when an entry lasts: a field with its last day. On each of the days before it that `remind` counts, `tell`
 * (roles) get the mail once.
 */
export interface ExpiryOfEntry {
  until: string
  remind: number[]
  tell: string[]
  /** Prefix of the text keys of the mail, with {{title}} and {{until}}. */
  mail: string
  /** The field with its first day. */
  from?: string
  /** The field with the first day of its next period: if that goes on at once, nobody is reminded of the entry. */
  next?: string
  /**
   * An entry in use that has the same values in these fields and ends later replaces it, if it begins by the day after
   * its end: nobody is reminded of it.
   */
  replacedBy?: string[]
}

/** The entries whose lookup `at` leads to one of these values; `code` is the error of a choice outside. */
export interface Selection {
  at: string
  is: string[]
  code: string
}

/** The role that `is` names for the value to which the lookup `at` leads; without such a value it is not known. */
export interface RoleOfEntry {
  at: string
  is: Record<string, string>
}

/** How the entries of a register are printed, and what `/verify` says of them. Fields are pointers into the data. */
export interface PaperOfEntry {
  /** `<area>/<name>` of the document. */
  document: string
  /** The day from which it is valid, and the last one on which it is. */
  from: string
  until?: string
  /** The picture that is printed. */
  picture?: string
  /**
   * A case of this flow, by the person of the entry (`own`), in which this lookup is true reports that the paper is lost
   * or stolen, until they withdraw it or a later such case. Only cases after the entry was made count. The lookup reads
   * entries as they last were in use.
   */
  reported?: { flow: string; at: string }
  /** The field of a newer entry with the number of the one that it stands for, which is then `replaced`. */
  replaces?: string
  /** Status of an entry out of use → what `/verify` says of it; `withdrawn` unless it is named. */
  states?: Record<string, 'not-yet' | 'replaced' | 'withdrawn'>
}

/** The parts of JSON Schema, and our hints, that registers and forms use. */
export interface FieldSchema {
  type?: string
  title?: string
  /** Choices with their labels, or branches. */
  oneOf?: readonly FieldSchema[]
  const?: JsonValue
  enum?: readonly JsonValue[]
  required?: readonly string[]
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  /** The fields of a form, in order. */
  'x-order'?: readonly string[]
  'x-register'?: string
  /** Beside `x-register`: the statuses in which an entry can be named; without it, only the one in use. */
  'x-statuses'?: string[]
  /** The sender's own record, as it was when they sent the form. */
  'x-record'?: string
  /** The entry's field `by` must hold what the sibling `field` of the form holds. */
  'x-within'?: { field: string; by: string }
  /** Beside `x-register` in a register: the selection of that register which the choice is among. */
  'x-selection'?: string
  /** Asked, and required, only while the entry that the sibling names has a value, or `is`, in this field; `rows`: its rows. */
  'x-asked'?: { entry: string; has: string; is?: string; rows?: boolean }
  /** While this is true, each of these siblings holds what another one holds. */
  'x-same'?: Record<string, string>
  /** No other entry has the same value, or the same combination with these fields. */
  'x-unique'?: true | string[]
  'x-pays-once'?: true
  /** Text keys by rule. */
  'x-messages'?: Record<string, string>
  /** Beside `x-unique`: only values of entries in use count. */
  'x-unique-in-use'?: true
  /** Beside `x-register`: fields of the named entry that do not change as long as an entry names it. */
  'x-freezes'?: readonly string[]
  /** Beside `x-register`: once the named entry is final, this one stays as it is. */
  'x-ends'?: true
  /** Beside `x-register`: fields that the named entry must have a value in, each with the error if it has none. */
  'x-needs'?: Record<string, string>
  /** Beside `x-register`: fields of this entry that agree with fields of the named one while this one is in use. */
  'x-agrees'?: Agreements
  /** The field in which no two rows of this list have the same value. */
  'x-once'?: string
  /** Beside `x-register`: the named entry is another one than this. */
  'x-another'?: true
  /** Beside `x-register` in rows of a list: what the named entry names in its own list stands in an earlier row. */
  'x-earlier'?: EarlierRows
  /** Beside `x-register`: a day to which the named entry leads is no later than one to which this entry leads. */
  'x-not-later'?: NotLater
  /** Beside `x-register`: the named entry is in a list to which this entry leads. */
  'x-listed'?: Listed
  /** Of a day in a register: entries in use do not overlap. */
  'x-apart'?: Apart
  /** In an import the entry is named by its code, and a second column must hold its value of this field. */
  'x-import-with'?: string
  /** At most `days` days from the day in a sibling field to this one. */
  'x-most-days'?: { from: string; days: number }
  /** The value that a field has in a row of a list of this entry. */
  'x-row'?: ChosenRow
  /** The same, of a row that is the least. */
  'x-least'?: LeastRow
  /** The value is the number of a case of this flow. */
  'x-case'?: string
  'x-widget'?: string
  /** Types of files that a field takes. */
  'x-accept'?: string | readonly string[]
  /** Cut to this shape before it is sent. */
  'x-crop'?: { width: number; height: number }
  /** A signature, drawn on the screen. */
  'x-drawn'?: true
  'x-sensitive'?: boolean
  /** Stored encrypted, apart from the entry; of fields at the top of a register with `sealed`. */
  'x-encrypted'?: true
  /** Of a list whose rows name one entry each: an import reads their codes from one cell. */
  'x-codes'?: true
  /** The value is the title of the entry that this sibling names; nobody types it. */
  'x-title-of'?: string
  /** An id that the register assigns; nobody types it. */
  'x-made'?: boolean
  [keyword: string]: unknown
}

/** A value with the path of its field. */
export interface Leaf {
  /** JSON pointer with array positions. */
  path: string
  schema: FieldSchema
  value: unknown
}

/** Every value with a field in the schema, including those in arrays. */
export function leaves(schema: FieldSchema, value: unknown, path = ''): Leaf[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(schema.items ?? {}, one, `${path}/${index}`))
  if (!isObject(value)) return [{ path, schema, value }]
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    leaves(field, value[name], `${path}/${name}`),
  )
}

/** Adds ids where the register has to assign one and there is none yet. */
export function withGeneratedIds<T>(schema: FieldSchema, value: T, make: () => string): T
export function withGeneratedIds(schema: FieldSchema, value: unknown, make: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withGeneratedIds(schema.items ?? {}, one, make))
  if (!isObject(value)) return value
  const made = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field['x-made'] === true
      ? [[name, value[name] ?? make()]]
      : value[name] === undefined
        ? []
        : [[name, withGeneratedIds(field, value[name], make)]],
  )
  return { ...value, ...Object.fromEntries(made) }
}

/** The names of the encrypted fields. */
export function encryptedNames({ properties = {} }: FieldSchema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => (field['x-encrypted'] ? [name] : []))
}

const plainSchemas = new WeakMap<FieldSchema, FieldSchema>()

/** The schema of what is stored in plain text. */
export function plainSchema(schema: FieldSchema): FieldSchema {
  const encrypted = encryptedNames(schema)
  if (encrypted.length === 0) return schema
  const known = plainSchemas.get(schema)
  if (known) return known
  const { properties = {}, required = [], ...rest } = schema
  const plain = (names: readonly string[]) => names.filter((name) => !encrypted.includes(name))
  const made: FieldSchema = {
    ...rest,
    required: plain(required),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !encrypted.includes(name))),
    ...(rest['x-order'] && { 'x-order': plain(rest['x-order']) }),
  }
  plainSchemas.set(schema, made)
  return made
}

/** The fields that may name the person an entry is about. */
export function namedBy({ by, or = [] }: NonNullable<RegisterDefinition['own']>): string[] {
  return [by, ...or]
}

/** Whether an entry in this status agrees with those that it names (`x-agrees`): in use, or as one can begin. */
export function agreesIn(definition: RegisterDefinition, status: string): boolean {
  const begins: readonly string[] = definition.begins ?? []
  return status === inUse(definition) || begins.includes(status)
}

/** The status of active entries, which others may refer to: the first. */
export function inUse({ statuses }: Pick<RegisterDefinition, 'statuses'>): string {
  return statuses[0]
}

/** The status of an entry that people make without naming one. */
export function begun({ begins, statuses }: Pick<RegisterDefinition, 'begins' | 'statuses'>): string {
  return (begins ?? statuses)[0]
}

/** Whether people may not set a status, because cases lead it. */
export function isOfCase(
  { byHand, statuses }: Pick<RegisterDefinition, 'byHand' | 'statuses'>,
  status: string,
): boolean {
  return byHand !== undefined && statuses.includes(status) && !byHand.includes(status)
}

/** Whether an import may not make an entry in a status. */
export function isNoBeginning(
  definition: Pick<RegisterDefinition, 'begins' | 'byHand' | 'statuses'>,
  status: string,
): boolean {
  const { begins, statuses } = definition
  return begins ? statuses.includes(status) && !begins.includes(status) : isOfCase(definition, status)
}

/** The value at a JSON pointer, or undefined. */
export function at(data: unknown, pointer: string): unknown {
  return pathOf(pointer).reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), data)
}

/** The text at a JSON pointer; undefined if there is none. */
export function textAt(data: unknown, pointer: string): string | undefined {
  const value = at(data, pointer)
  return typeof value === 'string' ? value : undefined
}

/** A JSON pointer as the path for PostgreSQL's `#>>`. */
export function pathOf(pointer: string): string[] {
  const [, ...parts] = pointer.split('/')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The schema of some fields of an entry, in this order, for pages that show only these. */
export function onlyFields({ properties = {} }: FieldSchema, names: readonly string[]): JsonObject {
  const fields = names.flatMap((name) => (properties[name] ? [[name, properties[name]]] : []))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- schemas are read from JSON
  return { type: 'object', 'x-order': [...names], properties: Object.fromEntries(fields) } as JsonObject
}
