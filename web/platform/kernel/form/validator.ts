import { useEffect, useState } from 'react'

/** A field error: a pointer into the form's value, and the text key of the message. */
export interface FieldError {
  field: string
  code: string
  values?: Record<string, unknown>
}

/** The check of one form, compiled by the server from the schema that it uses itself. */
export interface Validator {
  check(data: unknown): FieldError[]
}

const loading = new Map<string, Promise<Validator>>()

function load(hash: string): Promise<Validator> {
  const known = loading.get(hash)
  if (known) return known
  const address = `/api/forms/${hash}/validator.js`
  const module: Promise<Validator> = import(/* @vite-ignore */ address)
  loading.set(hash, module)
  // A module that failed to load is requested again by the next form.
  module.catch(() => loading.delete(hash))
  return module
}

/** Waits for the validator of a form; without one, or if it cannot be loaded, there is none. */
export async function validatorOf(hash: string | undefined): Promise<Validator | undefined> {
  return hash ? load(hash).catch(() => undefined) : undefined
}

/**
 * The validator of a form, once loaded. Without it the form still checks required fields, and the server checks
 * everything in any case.
 */
export function useValidator(hash: string | undefined): Validator | undefined {
  const [found, setFound] = useState<{ hash: string; validator: Validator }>()
  useEffect(() => {
    if (!hash) return
    let stale = false
    load(hash).then(
      (validator) => !stale && setFound({ hash, validator }),
      (error: unknown) => console.warn('the check of this form could not be loaded; the server will check', error),
    )
    return () => {
      stale = true
    }
  }, [hash])
  return found && found.hash === hash ? found.validator : undefined
}
