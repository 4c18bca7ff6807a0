/**
 * A question to somebody without an account who is named by the case. A mail `to` `asked:<name>` carries the link; the
 * answer is the message, with the variable `<name>_outcome` and those of the form.
 */
export interface MailedQuestion {
  /** Text key of the question; its placeholders are the names of `subject`. */
  title: string
  /** Key of the form; it is public and has an `outcome`. */
  form: string
  /** Name of the BPMN message. */
  message: string
  /** Lookups of the person's name and address, and of the title of their language. */
  to: { name: string; email: string; language?: string }
  /** Lookup of the last day for the answer. */
  until: string
  /** Names of `subject` that the page shows. */
  shows: string[]
}

/** The variable that has the answer. */
export const answerVariable = (question: string): string => `${question}_outcome`

/** The question that a mail goes with: `asked:offer`. */
export const askedIn = (to: string): string | undefined => /^asked:(.+)$/.exec(to)?.[1]
