// Made by `npm run generate` out of students/subject-registration.bpmn and its manifest. Not to be edited.

/** The names in the diagram of students/subject-registration: element ids, messages, error codes, topics, states. */
export const subjectRegistration = {
  flow: 'students/subject-registration',
  process: 'subject-registration',
  desks: {
    chooseSubjects: 'userTask_chooseSubjects',
    chooseAgain: 'userTask_chooseAgain',
    approveSubjects: 'userTask_approveSubjects',
  },
  events: {
    sent: 'startEvent_sent',
    choose: 'startEvent_choose',
    boundary_notAgain: 'boundary_notAgain',
    endEvent_notAgain: 'endEvent_notAgain',
    entered: 'endEvent_entered',
    boundary_closed: 'boundary_closed',
    endEvent_closed: 'endEvent_closed',
    full: 'boundary_full',
    toldFull: 'event_toldFull',
    toldReturned: 'event_toldReturned',
    toldRegistered: 'event_toldRegistered',
    open: 'startEvent_open',
    closingDay: 'event_closingDay',
    closedForChanges: 'endEvent_closedForChanges',
    registered: 'endEvent_registered',
    change: 'boundary_change',
    boundary_withdrawn: 'boundary_withdrawn',
    endEvent_withdrawn: 'endEvent_withdrawn',
    boundary_lapsed: 'boundary_lapsed',
    endEvent_lapsed: 'endEvent_lapsed',
    keptBefore: 'event_keptBefore',
  },
  messages: { withdraw: 'message_withdraw', changeSubjects: 'message_changeSubjects' },
  errors: { lapsed: 'students.subjects-lapsed', full: 'students.subject-full' },
  topics: {
    platformSendMail: 'platform.send-mail',
    studentsEnterSubjects: 'students.enter-subjects',
    studentsPrepareSubjects: 'students.prepare-subjects',
    studentsReleaseSeats: 'students.release-seats',
    studentsTakeSeats: 'students.take-seats',
  },
  statuses: {
    status: { choosing: 'Choosing', pendingApproval: 'Pending Approval', registered: 'Registered', lapsed: 'Lapsed' },
  },
} as const
