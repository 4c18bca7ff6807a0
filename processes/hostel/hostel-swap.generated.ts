// Made by `npm run generate` out of hostel/hostel-swap.bpmn and its manifest. Not to be edited.

/** The names in the diagram of hostel/hostel-swap: element ids, messages, error codes, topics, states. */
export const hostelSwap = {
  flow: 'hostel/hostel-swap',
  process: 'hostel-swap',
  desks: { decideSwap: 'userTask_decideSwap' },
  events: {
    sent: 'startEvent_sent',
    begin: 'startEvent_begin',
    refused: 'endEvent_refused',
    boundary_impossible: 'boundary_impossible',
    endEvent_impossible: 'endEvent_impossible',
    done: 'endEvent_done',
    swapped: 'endEvent_swapped',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_rejected: 'boundary_rejected',
    endEvent_rejected: 'endEvent_rejected',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { rejected: 'hostel.swap-refused', impossible: 'hostel.swap-impossible' },
  topics: {
    hostelSwapRooms: 'hostel.swap-rooms',
    hostelTellOther: 'hostel.tell-other',
    platformSendMail: 'platform.send-mail',
  },
  statuses: { status: { requested: 'requested', swapped: 'swapped', rejected: 'rejected' } },
} as const
