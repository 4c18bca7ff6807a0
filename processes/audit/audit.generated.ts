// Made by `npm run generate` out of audit/audit.bpmn and its manifest. Not to be edited.

/** The names in the diagram of audit/audit: element ids, messages, error codes, topics, states. */
export const audit = {
  flow: 'audit/audit',
  process: 'audit',
  desks: {
    giveInformation: 'userTask_giveInformation',
    verify: 'userTask_verify',
    approve: 'userTask_approve',
    correct: 'userTask_correct',
  },
  events: {
    planned: 'startEvent_planned',
    decide: 'startEvent_decide',
    informationOver: 'boundary_informationOver',
    toldNotGiven: 'event_toldNotGiven',
    toldDeclined: 'event_toldDeclined',
    decided: 'endEvent_decided',
    rejectedByDeputy: 'endEvent_rejectedByDeputy',
    toldReturned: 'event_toldReturned',
    boundary_correctionLapsed: 'boundary_correctionLapsed',
    endEvent_correctionLapsed: 'endEvent_correctionLapsed',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
    boundary_lapsed: 'boundary_lapsed',
    endEvent_lapsed: 'endEvent_lapsed',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    toldUnit: 'event_toldUnit',
    complete: 'endEvent_complete',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { rejected: 'audit.rejected', lapsed: 'audit.correction-lapsed' },
  topics: { platformNextWorkingDay: 'platform.next-working-day', platformSendMail: 'platform.send-mail' },
  statuses: {
    status: {
      new: 'new',
      awaitingInfo: 'awaiting_info',
      awaitingVeri: 'awaiting_veri',
      awaitingAppro: 'awaiting_appro',
      awaitingCorrect: 'awaiting_correct',
      complete: 'complete',
    },
  },
} as const
