import type { Rules } from '../platform/model/deployed/rules.ts'
import { choiceBeside } from './choice-beside.ts'
import { wrongChoice } from './subject-choice.ts'

const rules: Rules = {
  answers: { 'students/subject-registration-choice': { check: wrongChoice, beside: choiceBeside } },
}

export default rules
