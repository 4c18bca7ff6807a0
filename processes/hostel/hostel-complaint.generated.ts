// Made by `npm run generate` out of hostel/hostel-complaint.bpmn and its manifest. Not to be edited.

/** The names in the diagram of hostel/hostel-complaint: element ids, messages, error codes, topics, states. */
export const hostelComplaint = {
  flow: 'hostel/hostel-complaint',
  process: 'hostel-complaint',
  desks: { handleComplaint: 'userTask_handleComplaint', decideComplaint: 'userTask_decideComplaint' },
  events: {
    sent: 'startEvent_sent',
    begin: 'startEvent_begin',
    answered: 'endEvent_answered',
    refused: 'endEvent_refused',
    solved: 'endEvent_solved',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_dismissed: 'boundary_dismissed',
    endEvent_dismissed: 'endEvent_dismissed',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { dismissed: 'hostel.complaint-dismissed' },
  topics: { platformSendMail: 'platform.send-mail' },
  statuses: { status: { open: 'open', referred: 'referred', solved: 'solved', dismissed: 'dismissed' } },
} as const
