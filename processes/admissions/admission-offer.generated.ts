// Made by `npm run generate` out of admissions/admission-offer.bpmn and its manifest. Not to be edited.

/** The names in the diagram of admissions/admission-offer: element ids, messages, error codes, topics, states. */
export const admissionOffer = {
  flow: 'admissions/admission-offer',
  process: 'admission-offer',
  desks: {},
  events: {
    begun: 'startEvent_begun',
    offer: 'startEvent_offer',
    offered: 'event_offered',
    event_answered: 'event_answered',
    reminderDue: 'event_reminderDue',
    reminded: 'event_reminded',
    answeredLater: 'event_answeredLater',
    endEvent_answered: 'endEvent_answered',
    accepted: 'endEvent_accepted',
    declined: 'endEvent_declined',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    closed: 'boundary_closed',
    noAnswer: 'endEvent_noAnswer',
  },
  messages: { withdraw: 'message_withdraw', offerAnswered: 'message_offerAnswered' },
  errors: {},
  topics: { platformSendMail: 'platform.send-mail' },
  statuses: {
    status: {
      asked: 'Asked',
      accepted: 'Accepted',
      declined: 'Declined',
      noAnswer: 'No Answer',
      withdrawn: 'Withdrawn',
    },
  },
} as const
