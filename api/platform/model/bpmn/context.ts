import type { Topic } from '../definitions/topic.ts'
import type { FieldSchema } from '../definitions/register.ts'
import type { Manifest } from '../definitions/manifest.ts'
import type { Separation } from './separation.ts'

/** What a model is checked against: all that it may name. */
export interface GateContext {
  /** Area of the flow: errors are its own or the platform's, as everything else is that the context holds. */
  area: string
  manifest: Pick<
    Manifest,
    | 'process'
    | 'start'
    | 'scope'
    | 'derives'
    | 'variables'
    | 'statusLists'
    | 'withdraw'
    | 'acts'
    | 'public'
    | 'open'
    | 'batch'
    | 'agreement'
    | 'floor'
    | 'run'
  >
  /** Form key → its schema. */
  forms: ReadonlyMap<string, { schema: FieldSchema }>
  roles: ReadonlySet<string>
  /** Those of them that somebody holds now; absent where nobody can know, as in the repository's own check. */
  held?: ReadonlySet<string>
  /** Prefixes of the mails that there are; absent where they are not looked at. */
  mails?: ReadonlySet<string>
  topics: ReadonlyMap<string, Topic>
  /** Status list `<area>/<list>` → its states. */
  statusLists: ReadonlyMap<string, readonly string[]>
  /** The decision tables that are deployed with the model, as DMN documents. */
  decisions: readonly string[]
  /** Ids of the processes that may be called. */
  processes: ReadonlySet<string>
  /** Who may not decide where, at the least (`manifest.floor` is what has to be decided at all); absent where the model is itself what came with the product. */
  floor?: Separation
  /** It begins by the clock, and is no case. */
  schedule?: true
}

/** Kinds of unit that a role may be held for. */
export const scopeKinds = ['faculty', 'department', 'division', 'unit', 'post', 'committee', 'flow'] as const

/** Topic that a path from a timer to a desk must pass, so that the desk's deadline counts from that day. */
export const countsWorkingDays = 'platform.next-working-day'

/** Topic of the events that send something: what is told to people is told by mail. */
export const sendsMail = 'platform.send-mail'

/** Topics of the platform that any flow may use; the others do what only some flows are there for. */
export const forEveryFlow: readonly string[] = [countsWorkingDays, sendsMail]

/** Whether something belongs to an area or to the platform, by its key: `area/name` or `area.name`. */
export function ofArea(area: string, key: string): boolean {
  return [area, 'platform'].some((one) => key.startsWith(`${one}/`) || key.startsWith(`${one}.`))
}

/** Message that a flow which anybody may begin waits for: the requester has shown that the address is theirs. */
export const bookerConfirmed = 'message_bookerConfirmed'
