/** What `forms/<area>/<flow>.flow.json` says of a flow. Pointers are JSON pointers into the data of the start form. */
export interface Manifest {
  /** Text key. */
  title: string
  description?: string
  /** Id of the BPMN process, and name of its file. */
  process: string
  /** Key of the start form. */
  start: string
  /** Route of the page that starts it, where that is not the form by itself. */
  startPage?: string
  /** Roles, or `*` for everybody who is signed in. */
  startedBy: string[]
  /** Roles that see every case of this flow; `Role@kind` only those of their own unit. */
  seenBy: string[]
  /** Per status list, what a case has from its submission on. */
  firstStatus: Record<string, string>
  /** Per status list, the key of the list: `<area>/<list>`. */
  statusLists: Record<string, string>
  /** Pattern of the human reference: `{yyyy}`, `{mm}`, `{sequence:6}`. */
  reference: string
  /** Per kind of unit, where its id stands; `/field#/pointer` looks into the register item that a field names. */
  scope?: Record<string, string>
  /** What people recognise a case by: name → pointer, `#/title` for an item's title. */
  subject?: Record<string, string>
  /** The one name of `subject` that the public calendar shows of what is certain; absent: nothing. */
  publicSubject?: string
  /** Text key of one line about a case; its placeholders are the names of `subject`. */
  subjectText?: string
  /** Per desk, text key of the question that it answers. */
  question?: Record<string, string>
  /** Slots that a submission claims. */
  allocations?: { item: string; from: string; until: string; code: string }[]
  /** Variables that the flow's rules derive from a submission. */
  derives?: string[]
  /** Names of facts that lists and case pages show. */
  facts?: string[]
  columns?: string[]
  /** Name of the BPMN message by which the requester withdraws. */
  withdraw?: string
}

/** Names of variables that only the server sets; a form that declares one is refused. */
export const serverVariables = /^(caseId|requesterId|(faculty|department|division|unit)Id|workday\d+|.+_outcome)$/
