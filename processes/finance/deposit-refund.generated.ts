// Made by `npm run generate` out of finance/deposit-refund.bpmn and its manifest. Not to be edited.

/** The names in the diagram of finance/deposit-refund: element ids, messages, error codes, topics, states. */
export const depositRefund = {
  flow: 'finance/deposit-refund',
  process: 'deposit-refund',
  desks: { pay: 'userTask_pay', correct: 'userTask_correct' },
  events: {
    due: 'startEvent_due',
    told: 'event_told',
    toldPaid: 'event_toldPaid',
    endEvent_paid: 'endEvent_paid',
    startEvent_paid: 'startEvent_paid',
    halfYear: 'event_halfYear',
    kept: 'endEvent_kept',
    cameBack: 'boundary_cameBack',
    settled: 'endEvent_settled',
    toldBack: 'event_toldBack',
    notCorrected: 'boundary_notCorrected',
  },
  messages: { cameBack: 'message_cameBack' },
  errors: {},
  topics: {
    financePayRefund: 'finance.pay-refund',
    financeTakeBackRefund: 'finance.take-back-refund',
    platformNextWorkingDay: 'platform.next-working-day',
    platformSendMail: 'platform.send-mail',
  },
  statuses: { status: { toPay: 'To Pay', paid: 'Paid', cameBack: 'Came Back' } },
} as const
