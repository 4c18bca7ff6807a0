// Made by `npm run generate` out of aptitude-tests/aptitude-application.bpmn and its manifest. Not to be edited.

/** The names in the diagram of aptitude-tests/aptitude-application: element ids, messages, error codes, topics, states. */
export const aptitudeApplication = {
  flow: 'aptitude-tests/aptitude-application',
  process: 'aptitude-application',
  desks: { sendSlip: 'userTask_sendSlip', checkPayment: 'userTask_checkPayment', correct: 'userTask_correct' },
  events: {
    sent: 'startEvent_sent',
    apply: 'startEvent_apply',
    addressConfirmed: 'event_addressConfirmed',
    confirmationLapsed: 'event_confirmationLapsed',
    notConfirmed: 'endEvent_notConfirmed',
    toldPayment: 'event_toldPayment',
    boundary_slipLapsed: 'boundary_slipLapsed',
    endEvent_slipLapsed: 'endEvent_slipLapsed',
    toldNewSlip: 'event_toldNewSlip',
    toldReturned: 'event_toldReturned',
    boundary_correctionLapsed: 'boundary_correctionLapsed',
    endEvent_correctionLapsed: 'endEvent_correctionLapsed',
    verified: 'endEvent_verified',
    refused: 'endEvent_refused',
    admitted: 'endEvent_admitted',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_lapsed: 'boundary_lapsed',
    endEvent_lapsed: 'endEvent_lapsed',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
  },
  messages: { withdraw: 'message_withdraw', bookerConfirmed: 'message_bookerConfirmed' },
  errors: { rejected: 'aptitude-tests.application-rejected', lapsed: 'aptitude-tests.application-lapsed' },
  topics: {
    platformIssueDocument: 'platform.issue-document',
    platformSendMail: 'platform.send-mail',
    platformTakeFee: 'platform.take-fee',
  },
  statuses: {
    status: {
      submitted: 'Submitted',
      pendingPayment: 'Pending Payment',
      pendingPaymentVerification: 'Pending Payment Verification',
      returnedForCorrection: 'Returned for Correction',
      admissionCardIssued: 'Admission Card Issued',
      rejected: 'Rejected',
      lapsed: 'Lapsed',
    },
  },
} as const
