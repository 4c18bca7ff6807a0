/** The register of registration documents that students send, one entry per student and document. */
export const DOCUMENTS = 'students/document'

/** A document to send, as the student's desk lists it. */
export interface WantedDocument {
  name: string
  needed: 'yes' | 'no'
  /** Why it was rejected. */
  wrong?: string
  file?: string
}

/** A document that was sent, as the desk that checks it lists it. */
export interface SentDocument {
  name: string
  file: string
  decision: 'approve' | 'reject'
  reason?: string
}

/** A subject of the first year. `subject` is its code and name; `needs` the codes of its prerequisites. */
export interface SubjectRow {
  semester: number
  subject: string
  credits: number
  needs?: string
}

/** An elective, and whether it is taken. */
export interface ElectiveRow extends SubjectRow {
  choice: 'take' | 'leave'
}

/** The facts of a registration case that its desks show and check. */
export interface RegistrationFacts {
  wanted: WantedDocument[]
  /** Those that wait for the check, and all of them once they are checked. */
  toCheck?: SentDocument[]
  /** All that were sent and checked, each as it was sent last. */
  checked?: SentDocument[]
  core: SubjectRow[]
  electives: ElectiveRow[]
}

/** The code at the beginning of a subject row. */
export const codeOf = ({ subject }: Pick<SubjectRow, 'subject'>): string => subject.split(' ')[0] ?? ''

export const creditsOf = (rows: readonly SubjectRow[]): number => rows.reduce((sum, { credits }) => sum + credits, 0)
