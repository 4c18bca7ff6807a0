import { createContext, use } from 'react'
import type { Asked } from '../../../../forms/platform/asked.ts'
import type { Beside, FileName, FormSchema } from '../client/types.ts'
import type { FormValue } from './conditions.ts'
import type { Finding } from './checks.ts'

/** The data of a case that fills a task's form. */
export interface FormCase {
  data: object
  facts: object
  subject: object
  requester: { name: string }
  earlierDesks: { id: string; name: string; by: { name: string } }[]
}

/** A register entry that a field cannot name now, or that suits it best, with the reason. */
export interface Unavailable {
  field: string
  item: string
  why: string
  suits: boolean
  title: string | null
}

/** What a form provides to its fields. */
export interface Around {
  /** Error messages by pointer. */
  errors: ReadonlyMap<string, string>
  idOf(pointer: string): string
  /** The server's finding for a field with a check. */
  found(pointer: string): Finding | undefined
  /** The whole form, for fields that depend on another field. */
  whole: { schema: FormSchema; value: FormValue }
  /** What the chosen register entries ask for. */
  asked: Asked
  /** Sets several fields of the whole form at once. */
  fill(values: FormValue): void
  /** The case that a task's form is about. */
  of: FormCase | undefined
  unavailable: readonly Unavailable[]
  /** What the server says beside its fields now. */
  beside?: Beside | undefined
  /** Called when a field loses focus. */
  onLeave(pointer: string): void
  /** While this lasts, the form is not sent: what the field will hold is still on its way. */
  awaits(pointer: string, act: () => Promise<void>): Promise<void>
  /** Uploads a file, stored until the form is sent. */
  upload(body: FormData): Promise<FileName>
  /** Names the form to the server, so that it applies the form's limits to files; empty if there are none. */
  source: { form?: string; register?: string }
}

/** Set by the form, read by its fields. */
export const FormContext = createContext<Around | undefined>(undefined)

/** The form that contains a field. */
export const useForm = (): Around => {
  const around = use(FormContext)
  if (!around) throw new Error('a field stands outside a form')
  return around
}
