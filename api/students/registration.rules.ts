import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { choiceBeside } from './choice-beside.ts'
import { checkDecisions, missingFiles } from './document-rules.ts'
import type { WantedDocument } from './registration-rows.ts'
import { wrongChoice } from './subject-choice.ts'

const rules: Rules = {
  check({ data, before }) {
    const errors: FieldError[] = []
    if (!data['slip'] && !data['bank_reference']) errors.push({ field: '/slip', code: 'students.slip-or-reference' })
    // The checklist and the subjects were made for the first one.
    if (before && before['setup'] !== data['setup']) errors.push({ field: '/setup', code: 'platform.cannot-change' })
    return errors
  },

  answers: {
    'students/registration-documents': { check: checkSent, beside: choiceBeside },
    'students/registration-check': { check: checkDecisions },
  },
}

/** What a student sends: every required document, and electives that the curriculum and its limits permit. */
async function checkSent(input: DeskInput): Promise<FieldError[]> {
  const { documents = [] } = checkedAs<{ documents?: WantedDocument[] }>(input.data)
  return [...missingFiles(documents), ...(await wrongChoice(input))]
}

export default rules
