import type { Topic } from '../definitions/topic.ts'
import type { FieldSchema } from '../definitions/register.ts'
import type { Manifest } from '../definitions/manifest.ts'
import type { Separation } from './separation.ts'

/** What a model is checked against: everything that it may name. */
export interface GateContext {
  /** Area of the flow. Errors must be its own or the platform's, like everything else here. */
  area: string
  manifest: Pick<
    Manifest,
    | 'process'
    | 'start'
    | 'scope'
    | 'derives'
    | 'variables'
    | 'listed'
    | 'statusLists'
    | 'withdraw'
    | 'acts'
    | 'public'
    | 'account'
    | 'open'
    | 'batch'
    | 'agreement'
    | 'floor'
    | 'run'
    | 'places'
    | 'asks'
    | 'entries'
    | 'subject'
    | 'facts'
    | 'people'
    | 'paysWith'
  >
  /** Form key → its schema. */
  forms: ReadonlyMap<string, { schema: FieldSchema }>
  roles: ReadonlySet<string>
  /** The roles with a present holder; absent if that cannot be known, for example in the repository's own check. */
  held?: ReadonlySet<string>
  /** Prefixes of existing mails; absent if they are not checked. */
  mails?: ReadonlySet<string>
  topics: ReadonlyMap<string, Topic>
  /** Status list `<area>/<list>` → its states. */
  statusLists: ReadonlyMap<string, readonly string[]>
  /** The decision tables deployed with the model, as DMN documents. */
  decisions: readonly string[]
  /** Ids of the processes that may be called. */
  processes: ReadonlySet<string>
  /**
   * The minimum separation of duties (`manifest.floor` says what must be decided at all); absent for the model that
   * came with the product.
   */
  floor?: Separation
  /** A schedule: started by a timer, without a case. */
  schedule?: true
}

/** Kinds of unit that a role may be held at. */
export const scopeKinds = ['faculty', 'department', 'division', 'unit', 'post', 'committee', 'flow'] as const

/** Topic that a path from a timer to a desk must pass, so that the desk's deadline counts from that day. */
export const countsWorkingDays = 'platform.next-working-day'

/** Topic of sending events: people are notified by mail. */
export const sendsMail = 'platform.send-mail'

/** Topics of the platform that any flow may use; the others are reserved for certain flows. */
export const forEveryFlow: readonly string[] = [countsWorkingDays, sendsMail]

/** Whether a key (`area/name` or `area.name`) belongs to the area or to the platform. */
export function ofArea(area: string, key: string): boolean {
  return [area, 'platform'].some((one) => key.startsWith(`${one}/`) || key.startsWith(`${one}.`))
}

/** Topic that takes a place of the entry that the manifest names. */
export const takesPlace = 'platform.take-place'

/** Topic that posts the fee of a case. */
export const takesFee = 'platform.take-fee'

/** Message that flows with places wait for: one is free for the case. */
export const placeFreed = 'message_placeFreed'

/** Message that public flows wait for: the requester has confirmed their address. */
export const bookerConfirmed = 'message_bookerConfirmed'
