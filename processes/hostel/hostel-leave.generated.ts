// Made by `npm run generate` out of hostel/hostel-leave.bpmn and its manifest. Not to be edited.

/** The names in the diagram of hostel/hostel-leave: element ids, messages, error codes, topics, states. */
export const hostelLeave = {
  flow: 'hostel/hostel-leave',
  process: 'hostel-leave',
  desks: {
    decideLeave: 'userTask_decideLeave',
    noteReturn: 'userTask_noteReturn',
    confirmReturn: 'userTask_confirmReturn',
  },
  events: {
    sent: 'startEvent_sent',
    begin: 'startEvent_begin',
    refused: 'endEvent_refused',
    toldGranted: 'event_toldGranted',
    awayFrom: 'event_awayFrom',
    begun: 'endEvent_begun',
    left: 'startEvent_left',
    reported: 'boundary_reported',
    confirmedBack: 'endEvent_confirmedBack',
    returned: 'endEvent_returned',
    notBack: 'boundary_notBack',
    toldNotBack: 'endEvent_toldNotBack',
    back: 'endEvent_back',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    cancelled: 'endEvent_cancelled',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
  },
  messages: { withdraw: 'message_withdraw', returned: 'message_returned' },
  errors: { rejected: 'hostel.leave-refused' },
  topics: {
    hostelForgetReport: 'hostel.forget-report',
    platformNextWorkingDay: 'platform.next-working-day',
    platformSendMail: 'platform.send-mail',
  },
  statuses: {
    status: {
      requested: 'requested',
      approved: 'approved',
      away: 'away',
      returnReported: 'return reported',
      back: 'back',
      rejected: 'rejected',
    },
  },
} as const
