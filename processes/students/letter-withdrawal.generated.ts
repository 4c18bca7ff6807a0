// Made by `npm run generate` out of students/letter-withdrawal.bpmn and its manifest. Not to be edited.

/** The names in the diagram of students/letter-withdrawal: element ids, messages, error codes, topics, states. */
export const letterWithdrawal = {
  flow: 'students/letter-withdrawal',
  process: 'letter-withdrawal',
  desks: {},
  events: {
    found: 'startEvent_found',
    withdrawn: 'endEvent_withdrawn',
    notAsExpected: 'boundary_notAsExpected',
    notWithdrawn: 'endEvent_notWithdrawn',
  },
  messages: {},
  errors: { notAsExpected: 'platform.record-not-as-expected' },
  topics: { studentsWithdrawLetter: 'students.withdraw-letter' },
  statuses: { status: { sent: 'Sent', withdrawn: 'Withdrawn', notWithdrawn: 'Not Withdrawn' } },
} as const
