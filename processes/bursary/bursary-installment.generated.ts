// Made by `npm run generate` out of bursary/bursary-installment.bpmn and its manifest. Not to be edited.

/** The names in the diagram of bursary/bursary-installment: element ids, messages, error codes, topics, states. */
export const bursaryInstallment = {
  flow: 'bursary/bursary-installment',
  process: 'bursary-installment',
  desks: {
    decideByAR: 'userTask_decideByAR',
    decideByBursar: 'userTask_decideByBursar',
    decideByRegistrar: 'userTask_decideByRegistrar',
    decideByViceChancellor: 'userTask_decideByViceChancellor',
    correct: 'userTask_correct',
  },
  events: {
    asked: 'startEvent_asked',
    decide: 'startEvent_decide',
    decided: 'endEvent_decided',
    rejectedByDesk: 'endEvent_rejectedByDesk',
    toldReturned: 'event_toldReturned',
    boundary_correctionLapsed: 'boundary_correctionLapsed',
    endEvent_correctionLapsed: 'endEvent_correctionLapsed',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
    boundary_lapsed: 'boundary_lapsed',
    endEvent_lapsed: 'endEvent_lapsed',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_nothingToPay: 'boundary_nothingToPay',
    endEvent_nothingToPay: 'endEvent_nothingToPay',
    paid: 'endEvent_paid',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { rejected: 'bursary.rejected', lapsed: 'bursary.correction-lapsed', nothingToPay: 'platform.run-empty' },
  topics: { platformPayRun: 'platform.pay-run', platformSendMail: 'platform.send-mail' },
  statuses: {
    status: {
      new: 'new',
      ar: 'ar',
      bursar: 'bursar',
      registrar: 'registrar',
      vc: 'vc',
      rejected: 'rejected',
      sentClosed: 'sent&closed',
    },
  },
} as const
