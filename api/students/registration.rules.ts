import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import {
  type ElectiveRow,
  type RegistrationFacts,
  type SentDocument,
  type SubjectRow,
  type WantedDocument,
  codeOf,
  creditsOf,
} from './registration-rows.ts'

const rules: Rules = {
  check({ data, before }) {
    const errors: FieldError[] = []
    if (!data['slip'] && !data['bank_reference']) errors.push({ field: '/slip', code: 'students.slip-or-reference' })
    // The checklist and the subjects were made for the first one.
    if (before && before['setup'] !== data['setup']) errors.push({ field: '/setup', code: 'platform.cannot-change' })
    return errors
  },

  answers: {
    'students/registration-documents': { check: checkSent },
    'students/registration-check': { check: checkDecisions },
  },
}

/** What a student sends: every required document, and electives that the curriculum and its limits permit. */
async function checkSent({ data, facts, current, trx }: DeskInput): Promise<FieldError[]> {
  const { documents = [], electives = [] } = checkedAs<{ documents?: WantedDocument[]; electives?: ElectiveRow[] }>(
    data,
  )
  const { core } = checkedAs<RegistrationFacts>(facts)
  const taken = [...core, ...electives.filter(({ choice }) => choice === 'take')]
  const { data: setup } = await trx
    .selectFrom('register_item')
    .select('data')
    .where('id', '=', String(current['setup']))
    .executeTakeFirstOrThrow()
  return [
    ...missingFiles(documents),
    ...electives.flatMap((row, at) => tooEarly(row, taken, `/electives/${at}/choice`)),
    ...outsideLimits(creditsOf(taken), checkedAs<CreditLimits>(setup)),
  ]
}

interface CreditLimits {
  min_credits: number
  max_credits: number
}

function missingFiles(documents: readonly WantedDocument[]): FieldError[] {
  return documents.flatMap(({ needed, file }, at) =>
    needed === 'yes' && !file ? [{ field: `/documents/${at}/file`, code: 'platform.field-required' }] : [],
  )
}

/** A prerequisite must be taken in an earlier semester of the year. */
function tooEarly(row: ElectiveRow, taken: readonly SubjectRow[], field: string): FieldError[] {
  if (row.choice !== 'take' || row.needs === undefined) return []
  const before = new Set(taken.filter(({ semester }) => semester < row.semester).map(codeOf))
  const missing = row.needs.split(', ').filter((code) => !before.has(code))
  if (missing.length === 0) return []
  return [{ field, code: 'students.prerequisite-missing', values: { subject: codeOf(row), needs: missing.join(', ') } }]
}

function outsideLimits(credits: number, { min_credits: least, max_credits: most }: CreditLimits): FieldError[] {
  if (credits >= least && credits <= most) return []
  return [{ field: '/electives', code: 'students.credits-outside', values: { credits, least, most } }]
}

/** Approved only if no document is rejected; one that is rejected may have a reason of its own. */
function checkDecisions({ data }: DeskInput): FieldError[] {
  const { documents = [] } = checkedAs<{ documents?: SentDocument[] }>(data)
  if (data['outcome'] !== 'approve') return []
  return documents.flatMap(({ decision }, at) =>
    decision === 'reject' ? [{ field: `/documents/${at}/decision`, code: 'students.rejected-among-approved' }] : [],
  )
}

export default rules
