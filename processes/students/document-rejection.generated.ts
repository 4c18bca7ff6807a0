// Made by `npm run generate` out of students/document-rejection.bpmn and its manifest. Not to be edited.

/** The names in the diagram of students/document-rejection: element ids, messages, error codes, topics, states. */
export const documentRejection = {
  flow: 'students/document-rejection',
  process: 'document-rejection',
  desks: {},
  events: { found: 'startEvent_found', rejected: 'endEvent_rejected' },
  messages: {},
  errors: {},
  topics: { studentsRejectDocument: 'students.reject-document' },
  statuses: { status: { sent: 'Sent', rejected: 'Rejected' } },
} as const
