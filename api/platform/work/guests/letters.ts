import type { Transaction } from 'kysely'
import { wordsOf } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Language } from '../../model/library/library.ts'
import type { Vault } from '../../kernel/keys.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { hashOf, trackingSecrets } from './secrets.ts'
import { findTracking, setTrackingSecret } from './repository.ts'
import { known } from '../../kernel/known.ts'

/** The part of a case that its mails to a guest use. */
export interface Announced {
  reference: string
  flow: string
  subject: JsonObject
  requesterId: string
  /** The requester's. */
  language: Language
}

/**
 * Mails to people who follow a case without signing in. They ignore mail preferences, because the case cannot continue
 * without them.
 */
export function trackingLetters(trx: Transaction<DB>, letters: MailDependencies) {
  const { library, publicUrl } = letters

  function valuesOf({ reference, flow, subject, language }: Announced, secret: string) {
    const { manifest } = known(library.flows.get(flow), 'the flow of a guest')
    const words = wordsOf(library, language)
    return {
      reference,
      title: words.flowTitle(manifest),
      about: words.caseTitle(manifest, subject),
      tracking: addressOf(publicUrl, reference, secret),
    }
  }

  return {
    /** Asks a guest to confirm their case. */
    async askForConfirmation(of: Announced, secret: string, token: string, until: Date): Promise<void> {
      await mail(trx, letters).send({
        to: of.requesterId,
        template: 'platform.mail.confirm-case',
        values: {
          ...valuesOf(of, secret),
          link: `${publicUrl}/confirm-booking?token=${token}`,
          until: until.toISOString(),
        },
      })
    },

    /** Sends the tracking address of a case again. */
    async sendTracking(of: Announced, secret: string): Promise<void> {
      const values = valuesOf(of, secret)
      await mail(trx, letters).send({
        to: of.requesterId,
        template: 'platform.mail.tracking-address',
        values: { ...values, link: values.tracking },
      })
    },
  }
}

/** The address at which the requester follows the case without signing in; undefined if there is none. */
export async function trackingAddress(
  trx: Transaction<DB>,
  { vault, publicUrl }: { vault: Vault; publicUrl: string },
  { id, reference }: { id: string; reference: string },
): Promise<string | undefined> {
  if (!(await findTracking(trx, id))) return undefined
  const secret = trackingSecrets(vault).secretOf(id)
  // A changed TOKEN_SECRET gives the case a new secret.
  await setTrackingSecret(trx, id, hashOf(secret))
  return addressOf(publicUrl, reference, secret)
}

/** After the #, so that the secret reaches neither logs nor other sites. */
function addressOf(publicUrl: string, reference: string, secret: string): string {
  return `${publicUrl}/track#${reference}/${secret}`
}
