// Made by `npm run generate` out of id-cards/first-card.bpmn and its manifest. Not to be edited.

/** The names in the diagram of id-cards/first-card: element ids, messages, error codes, topics, states. */
export const firstCard = {
  flow: 'id-cards/first-card',
  process: 'first-card',
  desks: { printFirst: 'userTask_printFirst', handOverFirst: 'userTask_handOverFirst' },
  events: {
    opened: 'startEvent_opened',
    firstCard: 'startEvent_firstCard',
    toldFirstReady: 'event_toldFirstReady',
    firstNotYetCollected: 'boundary_firstNotYetCollected',
    firstAskedToCollect: 'endEvent_firstAskedToCollect',
    boundary_firstNotCollected: 'boundary_firstNotCollected',
    firstNotCollectedInTime: 'endEvent_firstNotCollectedInTime',
    firstIdentityDiffers: 'boundary_firstIdentityDiffers',
    toldFirstIdentityDiffers: 'event_toldFirstIdentityDiffers',
    firstHandedOver: 'endEvent_firstHandedOver',
    firstUnprintable: 'endEvent_firstUnprintable',
    firstCollected: 'endEvent_firstCollected',
    boundary_firstWithdrawn: 'boundary_firstWithdrawn',
    endEvent_firstWithdrawn: 'endEvent_firstWithdrawn',
    firstUncollected: 'boundary_firstUncollected',
    endEvent_firstNotCollected: 'endEvent_firstNotCollected',
    firstRefused: 'boundary_firstRefused',
    firstRejected: 'endEvent_firstRejected',
    firstHasCard: 'boundary_firstHasCard',
    firstNoPhoto: 'boundary_firstNoPhoto',
    firstNotPrepared: 'endEvent_firstNotPrepared',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: {
    notCollected: 'id-cards.first-not-collected',
    unprintable: 'id-cards.first-unprintable',
    identityDiffers: 'id-cards.identity-differs',
    hasCard: 'id-cards.has-card',
    noPhoto: 'id-cards.no-photo',
  },
  topics: {
    idCardsActivateCard: 'id-cards.activate-card',
    idCardsCancelCard: 'id-cards.cancel-card',
    idCardsPrepareFirstCard: 'id-cards.prepare-first-card',
    platformSendMail: 'platform.send-mail',
  },
  statuses: {
    status: {
      inPreparation: 'In Preparation',
      readyToCollect: 'Ready to Collect',
      collected: 'Collected',
      rejected: 'Rejected',
      notCollected: 'Not Collected',
    },
  },
} as const
