// Made by `npm run generate` out of hostel/hostel-leave.bpmn and its manifest. Not to be edited.

/** The names in the diagram of hostel/hostel-leave: element ids, messages, error codes, topics, states. */
export const hostelLeave = {
  flow: 'hostel/hostel-leave',
  process: 'hostel-leave',
  desks: { decideLeave: 'userTask_decideLeave', noteReturn: 'userTask_noteReturn' },
  events: {
    sent: 'startEvent_sent',
    begin: 'startEvent_begin',
    refused: 'endEvent_refused',
    granted: 'endEvent_granted',
    toldGranted: 'event_toldGranted',
    awayFrom: 'event_awayFrom',
    notBack: 'boundary_notBack',
    toldNotBack: 'endEvent_toldNotBack',
    returned: 'endEvent_returned',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { rejected: 'hostel.leave-refused' },
  topics: { platformNextWorkingDay: 'platform.next-working-day', platformSendMail: 'platform.send-mail' },
  statuses: {
    status: { requested: 'requested', approved: 'approved', away: 'away', back: 'back', rejected: 'rejected' },
  },
} as const
