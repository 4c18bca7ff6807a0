// Made by `npm run generate` out of mahapola/monthly-installment.bpmn and its manifest. Not to be edited.

/** The names in the diagram of mahapola/monthly-installment: element ids, messages, error codes, topics, states. */
export const monthlyInstallment = {
  flow: 'mahapola/monthly-installment',
  process: 'monthly-installment',
  desks: { approveByHead: 'userTask_approveByHead' },
  events: { asked: 'startEvent_asked', approved: 'endEvent_approved', rejected: 'endEvent_rejected' },
  messages: {},
  errors: {},
  topics: { platformSendMail: 'platform.send-mail' },
  statuses: { status: { requested: 'Requested', approved: 'Approved', rejected: 'Rejected' } },
} as const
