// Made by `npm run generate` out of season-tickets/lost-ticket.bpmn and its manifest. Not to be edited.

/** The names in the diagram of season-tickets/lost-ticket: element ids, messages, error codes, topics, states. */
export const lostTicket = {
  flow: 'season-tickets/lost-ticket',
  process: 'lost-ticket',
  desks: { approve: 'userTask_approve', print: 'userTask_print', issue: 'userTask_issue', correct: 'userTask_correct' },
  events: {
    begin: 'startEvent_begin',
    toldReady: 'event_toldReady',
    handedOut: 'endEvent_handedOut',
    notIssuable: 'boundary_notIssuable',
    toldNotIssuable: 'event_toldNotIssuable',
    withheld: 'endEvent_withheld',
    refused: 'endEvent_refused',
    toldReturned: 'event_toldReturned',
    boundary_correctionLapsed: 'boundary_correctionLapsed',
    endEvent_correctionLapsed: 'endEvent_correctionLapsed',
    notYetCollected: 'boundary_notYetCollected',
    askedToCollect: 'endEvent_askedToCollect',
    requested: 'startEvent_requested',
    issued: 'endEvent_issued',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_lapsed: 'boundary_lapsed',
    endEvent_lapsed: 'endEvent_lapsed',
    boundary_seasonOver: 'boundary_seasonOver',
    endEvent_seasonOver: 'endEvent_seasonOver',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: {
    rejected: 'season-tickets.rejected',
    lapsed: 'season-tickets.lapsed',
    notIssuable: 'season-tickets.not-entitled',
  },
  topics: {
    platformSendMail: 'platform.send-mail',
    seasonTicketsCancelTicket: 'season-tickets.cancel-ticket',
    seasonTicketsIssueTicket: 'season-tickets.issue-ticket',
    seasonTicketsPrepareTicket: 'season-tickets.prepare-ticket',
  },
  statuses: {
    status: { new: 'new', approved: 'approved', printed: 'printed', issued: 'issued', rejected: 'rejected' },
  },
} as const
