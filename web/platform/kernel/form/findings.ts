import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FormSchema } from '../client/types.ts'
import { isBlank } from '../record/fields.ts'
import { checks, type Finding } from './checks.ts'
import { sendable, shownFields, type FormValue } from './conditions.ts'

/** The server's findings for fields with a check: requested on blur and before sending. */
export function useFindings(schema: FormSchema, value: FormValue) {
  const [found, setFound] = useState<Record<string, Finding | undefined>>({})
  const asked = useRef(new Map<string, { value: unknown; answer: Promise<void> }>())
  const data = sendable(schema, value)
  const checked = shownFields(schema, value).filter(({ schema: field }) => field['x-check'] !== undefined)
  const current = useRef(data)
  useLayoutEffect(() => void (current.current = data))

  const of = (name: string): Finding | undefined => (found[name]?.value === data[name] ? found[name] : undefined)

  const ask = (name: string): Promise<void> => {
    const check = checks[checked.find((field) => field.name === name)?.schema['x-check'] ?? '']
    const held = current.current[name]
    if (!check || isBlank(held)) return Promise.resolve()
    const earlier = asked.current.get(name)
    if (earlier && earlier.value === held) return earlier.answer
    const put = (finding: Finding | undefined) => {
      // Only the newest request counts.
      if (asked.current.get(name)?.answer !== answer) return
      flushSync(() => setFound((before) => ({ ...before, [name]: finding })))
    }
    const answer: Promise<void> = check(held).then(
      ({ valid, message }) => put({ value: held, state: valid ? 'good' : 'bad', message }),
      (error: unknown) => {
        // No reason to block the form: the server checks again when it stores the value.
        console.warn(`${name} could not be checked`, error)
        put(undefined)
        asked.current.delete(name)
      },
    )
    asked.current.set(name, { value: held, answer })
    setFound((before) => ({ ...before, [name]: { value: held, state: 'asking', message: '' } }))
    return answer
  }

  return {
    of,
    ask,
    /** Fields whose present value the server rejected. */
    bad: () =>
      checked.flatMap(({ name }) => {
        const finding = of(name)
        return finding?.state === 'bad' ? [{ field: `/${name}`, message: finding.message }] : []
      }),
    /** Resolves once all checks that are worth it have an answer. */
    settled: async (worth: (name: string) => boolean): Promise<void> => {
      await Promise.all(checked.filter(({ name }) => worth(name)).map(({ name }) => ask(name)))
    },
  }
}
