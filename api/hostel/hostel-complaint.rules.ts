import type { Rules } from '../platform/model/deployed/rules.ts'
import { notMovedIn } from './residents.ts'

const rules: Rules = { check: async (input) => notMovedIn(input) }

export default rules
