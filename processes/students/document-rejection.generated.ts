// Made by `npm run generate` out of students/document-rejection.bpmn and its manifest. Not to be edited.

/** The names in the diagram of students/document-rejection: element ids, messages, error codes, topics, states. */
export const documentRejection = {
  flow: 'students/document-rejection',
  process: 'document-rejection',
  desks: {},
  events: {
    found: 'startEvent_found',
    rejected: 'endEvent_rejected',
    notAsExpected: 'boundary_notAsExpected',
    notRejected: 'endEvent_notRejected',
  },
  messages: {},
  errors: { notAsExpected: 'platform.record-not-as-expected' },
  topics: { studentsRejectDocument: 'students.reject-document' },
  statuses: { status: { sent: 'Sent', rejected: 'Rejected', notRejected: 'Not Rejected' } },
} as const
