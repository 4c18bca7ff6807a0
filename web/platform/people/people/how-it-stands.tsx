import type { Erasure } from '../../kernel/api/audit.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** Who requested an erasure, or who decided on it, and when. */
export function HowItStands({ erasure }: { erasure: Erasure }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const { state, askedBy, askedAt, decidedBy, decidedAt, refusal, erased } = erasure
  return t(`platform.erasure.state.${state}`, {
    asker: askedBy,
    askedAt: date(askedAt),
    decider: decidedBy,
    decidedAt: decidedAt && date(decidedAt),
    refusal,
    erased,
  })
}
