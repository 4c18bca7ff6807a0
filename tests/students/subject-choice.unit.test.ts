import { expect, test } from '@jest/globals'
import { neededByCore } from '../../api/students/subject-choice.ts'

const core = [
  { semester: 1, subject: 'MUS1101 Theory', credits: 3 },
  { semester: 2, subject: 'MUS1201 Harmony', credits: 3, needs: 'MUS1101, MUS1103' },
]
const elective = (code: string, choice: 'take' | 'leave', semester = 1) => ({
  ...{ semester, subject: `${code} Elective`, credits: 2, choice },
})

test('an elective of an earlier semester that a subject for everybody needs has to be taken', () => {
  expect(neededByCore(core, [elective('MUS1102', 'leave'), elective('MUS1103', 'leave')])).toEqual([
    {
      field: '/electives/1/choice',
      code: 'students.prerequisite-missing',
      values: { subject: 'MUS1201', needs: 'MUS1103' },
    },
  ])
  expect(neededByCore(core, [elective('MUS1103', 'take')])).toEqual([])
  expect(neededByCore(core, [elective('MUS1103', 'leave', 2)])).toEqual([])
})
