import { useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { signIn, signInByPasskey, type SecondStep } from './entering.ts'

interface Entering {
  busy: 'password' | 'passkey' | undefined
  /** The API requires a proof of work first. */
  slow: boolean
  problem: unknown
  /** Number of refused passwords on this page; each refusal is announced again. */
  refusals: number
  /** The passkey's dialog was closed. */
  noPasskey: boolean
  second: SecondStep | undefined
  enter(username: string, password: string): Promise<void>
  enterByPasskey(): Promise<void>
  /** Back to the password, with a reason unless the person chose to. */
  startAgain(why?: unknown): void
}

/** The sign-in methods of the page: calls `arrive` once signed in, `onRefused` after a refused password. */
export function useEntering(arrive: () => void, onRefused: () => void): Entering {
  const [busy, setBusy] = useState<'password' | 'passkey'>()
  const [slow, setSlow] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [refusals, setRefusals] = useState(0)
  const [noPasskey, setNoPasskey] = useState(false)
  const [second, setSecond] = useState<SecondStep>()
  return {
    ...{ busy, slow, problem, refusals, noPasskey, second },
    async enter(username, password) {
      setBusy('password')
      setProblem(undefined)
      try {
        const wanted = await signIn(username, password, () => setSlow(true))
        if (wanted) setSecond(wanted)
        else arrive()
      } catch (error) {
        setProblem(error)
        if (error instanceof Problem && error.code === 'platform.sign-in-refused') setRefusals((before) => before + 1)
        onRefused()
      } finally {
        setBusy(undefined)
        setSlow(false)
      }
    },
    async enterByPasskey() {
      setBusy('passkey')
      setProblem(undefined)
      setNoPasskey(false)
      try {
        if (await signInByPasskey()) arrive()
        else setNoPasskey(true)
      } catch (error) {
        setProblem(error)
      } finally {
        setBusy(undefined)
      }
    },
    startAgain(why) {
      setSecond(undefined)
      setProblem(why)
    },
  }
}
