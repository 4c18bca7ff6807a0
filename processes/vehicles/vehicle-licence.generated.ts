// Made by `npm run generate` out of vehicles/vehicle-licence.bpmn and its manifest. Not to be edited.

/** The names in the diagram of vehicles/vehicle-licence: element ids, messages, error codes, topics, states. */
export const vehicleLicence = {
  flow: 'vehicles/vehicle-licence',
  process: 'vehicle-licence',
  desks: { check: 'userTask_check' },
  events: {
    entered: 'startEvent_entered',
    refused: 'endEvent_refused',
    boundary_overlaps: 'boundary_overlaps',
    endEvent_overlaps: 'endEvent_overlaps',
    toldActive: 'event_toldActive',
    inForce: 'startEvent_inForce',
    soon: 'event_soon',
    toldSoon: 'event_toldSoon',
    lastDay: 'event_lastDay',
    over: 'endEvent_over',
    end: 'boundary_end',
    cancelled: 'endEvent_cancelled',
    replaced: 'endEvent_replaced',
    expired: 'endEvent_expired',
  },
  messages: { end: 'message_end' },
  errors: { overlaps: 'vehicles.licence-overlaps' },
  topics: {
    platformSendMail: 'platform.send-mail',
    vehiclesEndLicence: 'vehicles.end-licence',
    vehiclesEnterLicence: 'vehicles.enter-licence',
    vehiclesFindRenewal: 'vehicles.find-renewal',
  },
  statuses: { status: { expired: 'expired', active: 'Active', cancel: 'cancel' } },
} as const
