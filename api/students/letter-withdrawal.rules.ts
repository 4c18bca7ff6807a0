import type { Rules } from '../platform/model/deployed/rules.ts'
import { letterWith } from './letters.ts'

/** Only a letter that is still valid is withdrawn, and nobody withdraws their own. */
const rules: Rules = {
  async check({ data, requester, trx }) {
    const letter = await letterWith(trx, String(data['letter']))
    const code = !letter
      ? 'students.letter-unknown'
      : letter.requesterId === requester.id
        ? 'platform.own-case'
        : letter.isEnded
          ? 'students.letter-withdrawn'
          : undefined
    return code === undefined ? [] : [{ field: '/letter', code }]
  },
}

export default rules
