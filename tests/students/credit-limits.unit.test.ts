import { expect, test } from '@jest/globals'
import { known } from '../../api/platform/kernel/known.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'

const { registers } = loadLibrary(process.cwd())

test.each(['students/registration-setup', 'students/subject-registration-setup'])(
  '%s: a batch is not asked for more credits than it may take, and a subject has one limit',
  (register) => {
    const { item } = known(registers.get(register), register)
    const wrongOf = (credits: object) =>
      checkForm(item, credits).flatMap(({ field, code }) => (code === 'platform.field-required' ? [] : [[field, code]]))
    expect(wrongOf({ min_credits: 31, max_credits: 30 })).toEqual([['/min_credits', 'platform.check-x-at-most']])
    expect(wrongOf({ min_credits: 30, max_credits: 30 })).toEqual([])
    const subject = '0a0f5a3e-0000-4000-8000-000000000001'
    const limits = [10, 20].map((places) => ({ subject, places }))
    expect(wrongOf({ limits })).toEqual([['/limits', 'platform.check-x-once']])
  },
)
