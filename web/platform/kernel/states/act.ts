import { App, type FormInstance } from 'antd'
import { useState } from 'react'
import { Problem } from '../client/client.ts'
import { inWords } from './trouble.tsx'
import { useTexts } from '../texts/texts.ts'

/** A refusal in the reader's own language. */
export class Refused extends Error {}

/** An action of a form: whether it is in progress, and why it was refused. */
export interface Act {
  busy: boolean
  /** The problem, in one or two sentences. */
  refusal: string | undefined
  /** Runs it; true on success. Errors of single fields go to the form, if given. */
  run(what: () => Promise<unknown>, form?: FormInstance): Promise<boolean>
  clear(): void
}

/** For forms and dialogs that show a refusal themselves. */
export function useAct(): Act {
  const { t } = useTexts()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  return {
    busy,
    refusal,
    clear: () => setRefusal(undefined),
    async run(what, form) {
      setBusy(true)
      setRefusal(undefined)
      try {
        await what()
        return true
      } catch (error) {
        if (error instanceof Refused) {
          setRefusal(error.message)
          return false
        }
        const { title, detail } = inWords(error, t)
        const named = error instanceof Problem ? error.errors : []
        if (form && named.length > 0)
          form.setFields(named.map(({ field, message }) => ({ name: field.replace(/^\//, ''), errors: [message] })))
        else if (named.length > 0)
          // Without a form no field can be marked, so show the reasons themselves.
          setRefusal(named.map(({ message }) => message).join(' '))
        else
          setRefusal(
            error instanceof Problem && error.status > 0 && error.status < 500 ? detail : `${title}. ${detail}`,
          )
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

/** For single buttons and switches: a refusal appears as a toast. */
export function useAction(): (what: () => Promise<unknown>, done?: string) => Promise<boolean> {
  const { t } = useTexts()
  const { message } = App.useApp()
  return async (what, done) => {
    try {
      await what()
      if (done) void message.success(done)
      return true
    } catch (error) {
      const { title, detail } = inWords(error, t)
      void message.error(`${title}. ${detail}`, 6)
      return false
    }
  }
}
