// Made by `npm run generate` out of vouchers/year-end.bpmn and its manifest. Not to be edited.

/** The names in the diagram of vouchers/year-end: element ids, messages, error codes, topics, states. */
export const yearEnd = {
  flow: 'vouchers/year-end',
  process: 'year-end',
  desks: { approveYearEnd: 'userTask_approveYearEnd' },
  events: {
    asked: 'startEvent_asked',
    decide: 'startEvent_decide',
    decided: 'endEvent_decided',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    rejected: 'endEvent_rejected',
    noSuccessor: 'boundary_noSuccessor',
    stuck: 'endEvent_stuck',
    closed: 'endEvent_closed',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { noSuccessor: 'vouchers.no-successor' },
  topics: { platformSendMail: 'platform.send-mail', vouchersCloseYear: 'vouchers.close-year' },
  statuses: { status: { askedFor: 'Asked for', closed: 'Closed', notClosed: 'Not closed', rejected: 'Rejected' } },
} as const
