import { createContext, use } from 'react'
import type { Finding } from './checks.ts'

/** What a form tells its fields. */
export interface Around {
  /** The message of a field, by its pointer. */
  errors: ReadonlyMap<string, string>
  idOf(pointer: string): string
  /** What the server has found of a field that it checks by itself. */
  found(pointer: string): Finding | undefined
  /** Someone has left the field. */
  onLeave(pointer: string): void
  /** Names the form to the server, so that it applies the limits of the form's fields to files. */
  source: { form: string } | { register: string }
}

/** Set by the form, read by its fields. */
export const FormContext = createContext<Around | undefined>(undefined)

/** The form around a field. */
export const useForm = (): Around => {
  const around = use(FormContext)
  if (!around) throw new Error('a field stands outside a form')
  return around
}
