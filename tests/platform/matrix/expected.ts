import roles from '../../../forms/platform/roles.json' with { type: 'json' }
import type { Place } from './world.ts'

/**
 * Who gets in. `everybody`: visitors too. `signed-in`: whoever has an account. A list: these roles, whatever it is about.
 * Else by whose thing it is: the roles, each held in the home units; `all` stands for whoever is signed in. Nobody else
 * gets in anywhere, and a visitor never. `untried`: one's own, where it would end the session that asks.
 */
export type Admitted = 'everybody' | 'signed-in' | readonly string[] | ByPlace
export type ByPlace = Record<Place, 'all' | 'untried' | readonly string[]>

const overseers = ['ADMIN', 'SA'] as const
/** A booking is seen by its requester and by whoever has a desk on its way: in their units, as all here are. */
const booking: ByPlace = {
  own: 'all',
  home: [
    ...overseers,
    ...['HOD', 'Division Head', 'Dean', 'MA', 'Division MA', 'Faculty AR', 'AR'],
    ...['Registrar', 'Vice Chancellor', 'Finance MA'],
  ],
  foreign: overseers,
}
/** A task that waits for the head of a department. */
const deciding: ByPlace = { own: overseers, home: [...overseers, 'HOD'], foreign: overseers }

/** Who leads the department of a task; the head of its faculty does too, though they do not decide it. */
const leading: ByPlace = { ...deciding, home: [...overseers, 'HOD', 'Dean'] }
/** Who has to do with a case otherwise than as its requester. */
const inside: ByPlace = { ...booking, own: overseers }
/** Who leads some unit of the home side. */
const leaders = [...overseers, 'HOD', 'Dean', 'Division Head'] as const

/** Only where an identity server is set, which is not so here. */
const notThere: readonly string[] = []
/** It is not there for anybody. */
const nobody: readonly string[] = []
/** By the cookie or the secret of one case; not by who somebody is. */
const bySecret: readonly string[] = []
/** Who opens the administration of people: for their own units, ADMIN and SA for all. */
const roleSetup = [...overseers, 'HOD', 'Dean', 'Division Head', 'Registrar'] as const
/** A person's own and nobody else's, overseers included. */
const mine: ByPlace = { own: 'all', home: [], foreign: [] }
/** Who books for others. */
const bookers = [
  ...overseers,
  'HOD',
  'Division Head',
  'Dean',
  'MA',
  'AR',
  'Faculty AR',
  'Registrar',
  'Vice Chancellor',
  'Finance MA',
] as const
/** Of the models of flows: whoever owns one, and of others only ADMIN and SA. */
const owners = [...overseers, 'Process Owner'] as const
const modelling: ByPlace = { own: owners, home: owners, foreign: overseers }
/** What ADMIN may do anywhere, and a head in their own department, since it is about the role of a head. */
const headship: ByPlace = { own: ['ADMIN'], home: ['ADMIN', 'HOD'], foreign: ['ADMIN'] }
/** Links in mails open accounts. */
const mailed: ByPlace = { own: 'all', home: ['ADMIN'], foreign: ['ADMIN'] }
/** Who reads the entries of students: in their own units, as all here are. */
const readers = [...overseers, 'HOD', 'Dean', 'MA', 'SSW AR', 'SSW MA'] as const
/** A student's entry. */
const student: ByPlace = { own: 'all', home: readers, foreign: overseers }
/** The entry of somebody on the staff. */
const office = [...overseers, 'HR AR', 'HR MA'] as const
const employee: ByPlace = { own: overseers, home: [...office, 'HOD', 'Dean'], foreign: overseers }

/** Who works here by their role: everybody but students and those who are here for a while. */
const staff = [
  'ADMIN',
  ...roles.roles.filter((role) => !role.toLowerCase().endsWith('student') && role !== 'Temporary Employee'),
]
const auditors = [
  'Assistant Internal Auditor',
  'Audit Assistant Grade I',
  'Audit Assistant Grade II',
  'Deputy Internal Auditor',
  'Senior Assistant Internal Auditor',
  'Senior Internal Audit Assistant',
] as const

/** Who reads the record of everything that was done. */
const auditing = [...overseers, ...auditors] as const
const headsAudit = ['Deputy Internal Auditor'] as const

/** Who deals with money, and who audits it. */
const finance = [
  ...overseers,
  ...auditors,
  ...['Bursar', 'Senior Assistant Bursar', 'Assistant Bursar', 'Deputy Bursar'],
  ...['Shroff Counter Officer', 'Finance MA', 'Book Keeper'],
] as const

/**
 * Written by hand from the rules of the house, one entry per operation of the API: a new route
 * fails until it has one. After a colon, the same operation about something else.
 */
export const expected: Readonly<Record<string, Admitted>> = {
  getToken: 'everybody',
  logout: 'everybody',
  getSignInMethods: 'everybody',
  startSignInAtIdentityServer: notThere,
  finishSignInAtIdentityServer: notThere,
  endSessionsByIdentityServer: notThere,
  getPasskeyOptions: 'everybody',
  signInWithPasskey: 'everybody',
  getTokenKeys: 'everybody',
  rotateTokenKeys: overseers,

  getProofChallenge: 'everybody',
  checkEmail: 'everybody',
  register: 'everybody',
  createApplicantAccount: 'everybody',
  setPassword: 'everybody',
  forgotPassword: 'everybody',
  lookAtToken: 'everybody',
  confirmEmail: 'everybody',
  sendPasswordLinks: overseers,
  listStudentLinks: overseers,

  getMe: 'signed-in',
  changeMe: 'signed-in',
  askForMyName: 'signed-in',
  takeBackMyName: mine,
  changeMyPhoto: 'signed-in',
  changeMyPassword: 'signed-in',
  askToConfirmEmail: 'signed-in',
  listMySessions: 'signed-in',
  endMySession: mine,
  endMyOtherSessions: 'signed-in',
  getMyData: 'signed-in',
  beginTotp: 'signed-in',
  confirmTotp: 'signed-in',
  removeTotp: 'signed-in',
  renewRecoveryCodes: 'signed-in',
  beginPasskey: 'signed-in',
  addPasskey: 'signed-in',
  listMyPasskeys: 'signed-in',
  removePasskey: mine,
  listMyCalendarFeeds: 'signed-in',
  makeCalendarFeed: 'signed-in',
  // Whoever has the address, until it is revoked.
  readCalendarFeed: 'everybody',
  revokeCalendarFeed: mine,
  listNotifications: 'signed-in',
  addNotification: 'signed-in',
  deleteNotification: mine,
  deleteNotifications: 'signed-in',
  seeNotifications: 'signed-in',

  listPeople: roleSetup,
  createPerson: roleSetup,
  // Of people elsewhere they see name and post: who appoints has to find them.
  getPerson: roleSetup,
  // SA not where the account holds what SA could not give: they would become whoever that is.
  changePerson: { own: overseers, home: ['ADMIN'], foreign: ['ADMIN'] },
  decideNameChange: { own: [], home: ['ADMIN'], foreign: ['ADMIN'] },
  signOutPerson: { own: 'untried', home: ['ADMIN'], foreign: ['ADMIN'] },
  endPersonSecondFactor: { own: [], home: ['ADMIN'], foreign: ['ADMIN'] },
  sendPersonPasswordLink: { own: overseers, home: ['ADMIN'], foreign: ['ADMIN'] },
  giveGrant: { ...headship, own: [] },
  endGrant: headship,
  showGrantEffect: { ...headship, own: [] },
  importGrants: roleSetup,
  listRoles: roleSetup,
  listGroups: overseers,
  changeGroup: overseers,
  showGroupEffect: overseers,
  listPosts: roleSetup,
  getPost: roleSetup,
  appointHolder: { ...headship, own: [] },
  showAppointmentEffect: { ...headship, own: [] },
  endHolding: headship,

  listFlows: 'signed-in',
  getFlow: 'signed-in',
  getStartDraft: 'signed-in',
  saveStartDraft: 'signed-in',
  discardStartDraft: 'signed-in',
  getFlowOpening: 'signed-in',
  getForm: 'everybody',
  getFormValidator: 'everybody',
  listProcessDefinitions: 'signed-in',
  getProcessDefinition: 'signed-in',
  getProcessDefinitionXml: 'signed-in',

  holdSlot: 'signed-in',
  releaseHold: 'signed-in',
  submitCase: 'signed-in',
  listCases: 'signed-in',
  getCase: booking,
  withdrawCase: { own: 'all', home: [], foreign: [] },
  actOnCase: { own: 'all', home: [], foreign: [] },
  getCaseHistory: booking,
  getEarlierCases: booking,
  getCaseDocument: booking,
  getCasePath: booking,
  listCaseVariables: booking,

  listTasks: 'signed-in',
  countTasks: 'signed-in',
  // Each has their own inbox: what is in it is told by the lists below.
  exportTasks: 'signed-in',
  listInboxFields: 'signed-in',
  listInboxViews: 'signed-in',
  saveInboxView: 'signed-in',
  changeInboxView: mine,
  deleteInboxView: mine,
  getInboxChoice: 'signed-in',
  changeInboxChoice: 'signed-in',
  getTask: booking,
  // Nobody decides on their own case.
  claimTask: { ...deciding, own: [] },
  releaseTask: deciding,
  undoTask: { own: [], home: [], foreign: [] },
  sendTask: { own: [], home: [], foreign: [] },
  completeTask: { ...deciding, own: [] },
  assignTask: leading,
  delegateTask: { ...deciding, own: [] },
  resolveTask: leading,
  followUpTask: leading,
  setTaskPriority: leading,
  setTaskDue: leading,
  listPeopleForTask: leading,
  // The requester alone, whoever else has to do with the case.
  answerQuestion: mine,
  askRequester: { ...deciding, own: [] },
  withdrawQuestion: leading,
  listComments: inside,
  addComment: inside,
  deleteComment: mine,
  listPeopleForCase: inside,
  lookAtTask: inside,
  leaveTask: 'signed-in',
  getTeam: leaders,
  listTeamTasks: leaders,
  reportDesks: leaders,
  listModels: owners,
  listModelVersions: modelling,
  getModelVersion: modelling,
  getModelVocabulary: modelling,
  checkModel: modelling,
  beginModelDraft: modelling,
  getModelDraft: modelling,
  saveModelDraft: modelling,
  discardModelDraft: modelling,
  lockModelDraft: modelling,
  unlockModelDraft: modelling,
  deployModel: modelling,
  rollBackModel: modelling,
  getModelProposal: modelling,
  decideModelProposal: modelling,
  changeModelSettings: modelling,
  askSecondOwnerWaiver: overseers,
  decideSecondOwnerWaiver: modelling,
  checkDecisionTables: modelling,
  tryDecisionTable: modelling,
  listScenarios: modelling,
  getScenarioParts: modelling,
  recordScenario: modelling,
  createScenario: modelling,
  changeScenario: modelling,
  deleteScenario: modelling,
  runScenarios: modelling,
  rehearseModel: modelling,
  getScenarioRun: modelling,
  planMigration: modelling,
  validateMigration: modelling,
  beginMigration: modelling,
  stopMigration: modelling,
  getMigration: modelling,
  getHeat: modelling,
  // The reports of the money, from the vouchers' cash book to the file for the bank.
  getReport: finance,
  getReportFile: finance,
  'getReport:ageing': finance,
  'getReport:lead-times': finance,
  'getReport:payments': finance,
  'getReport:vote-entries': finance,
  'getReport:vote-ledger': finance,
  'getReport:bank-file': finance,
  'getReportFile:bank-file': finance,
  listUndoable: 'signed-in',
  saveDraft: deciding,
  discardDraft: deciding,
  // What would be refused is told of each task; of what is not theirs, nothing but that.
  previewBulk: 'signed-in',
  // Whoever may know of a task may ask; each is refused in its turn.
  startBulk: booking,
  listBulk: 'signed-in',
  getBulk: mine,
  stopBulk: mine,
  undoBulk: mine,
  // Of an item that is not there; who may open one that is, tests/year-renewals tells.
  getBatch: nobody,
  listBatchMembers: nobody,
  exportBatchMembers: nobody,
  openBatch: nobody,
  stopBatch: nobody,
  // Of a case that pays nobody; who may act on the run of one that does, tests/mahapola tells.
  getRun: nobody,
  listRunLines: nobody,
  listRunLineEvents: nobody,
  exportRun: nobody,
  actOnRunLine: nobody,
  returnRunLine: nobody,
  signRunLines: nobody,
  listOwnRunLines: 'signed-in',
  signOwnRunLine: nobody,
  getTaskWhy: booking,
  searchAudit: auditing,
  exportAuditSearch: auditing,
  getAuditVocabulary: auditing,
  findAuditPeople: auditing,
  getAuditPerson: auditing,
  searchAuditCases: auditing,
  getAuditCase: auditing,
  listAuditMoments: auditing,
  exportAuditCase: auditing,
  getAuditReport: auditing,
  exportAuditReport: auditing,
  verifyAudit: auditing,
  exportAuditChain: auditing,
  getAuditKey: auditing,
  listAuditSearches: auditing,
  saveAuditSearch: auditing,
  // Of a view of the inbox, which is no search of the audit.
  deleteAuditSearch: nobody,
  getPersonErasure: ['ADMIN'],
  askPersonErasure: { own: [], home: ['ADMIN'], foreign: ['ADMIN'] },
  listErasures: auditing,
  // Nobody of their own details, and SA and ADMIN of none.
  confirmErasure: { own: [], home: headsAudit, foreign: headsAudit },
  refuseErasure: { own: [], home: headsAudit, foreign: headsAudit },
  listSubstitutions: 'signed-in',
  'listSubstitutions:all': [...overseers, ...auditors],
  askSubstitute: staff,
  listSubstitutes: staff,
  // Whoever is asked answers, and nobody for them.
  acceptSubstitution: mine,
  declineSubstitution: mine,
  endSubstitution: { own: 'all', home: ['ADMIN'], foreign: ['ADMIN'] },

  // Whoever keeps the product running; the role holds for the whole university or not at all.
  listOperations: overseers,
  listOperationItems: overseers,
  retryOperations: overseers,
  getTokens: overseers,
  previewMove: overseers,
  // Nobody moves their own case.
  moveToken: { own: [], home: overseers, foreign: overseers },

  listRegisters: 'signed-in',
  getRegister: 'signed-in',
  listItems: 'signed-in',
  getItem: 'signed-in',
  createItem: { own: overseers, home: overseers, foreign: overseers },
  changeItem: { own: overseers, home: overseers, foreign: overseers },
  setItemStatus: { own: overseers, home: overseers, foreign: overseers },
  getImportTemplate: overseers,
  importItems: overseers,
  'listItems:student': readers,
  'getItem:student': student,
  'changeItem:student': { own: overseers, home: overseers, foreign: overseers },
  'setItemStatus:student': { own: overseers, home: overseers, foreign: overseers },
  'createItem:student': overseers,
  'importItems:student': overseers,
  'getItem:employee': employee,
  'changeItem:employee': { own: overseers, home: office, foreign: overseers },
  // They belong to no unit: an office that holds in some unit alone does not reach them.
  'getItem:temporary-employee': overseers,
  getCalendar: 'signed-in',
  getPublicForm: 'everybody',
  listPublicItems: 'everybody',
  getPublicItem: 'everybody',
  listPublicAllocations: 'everybody',
  askAvailability: 'everybody',
  listHolidays: 'everybody',
  verifyDocument: 'everybody',
  listComingEvents: 'everybody',

  holdSlotAsGuest: 'everybody',
  releaseHoldAsGuest: bySecret,
  checkCaseAsGuest: 'everybody',
  submitCaseAsGuest: 'everybody',
  confirmCaseAsGuest: 'everybody',
  // Whoever brings the link of a mail: who may decide is asked of its reader.
  lookAtTaskLink: 'everybody',
  decideByTaskLink: 'everybody',
  trackCase: 'everybody',
  resendTracking: 'everybody',
  getTrackedCase: bySecret,
  getTrackedDocument: bySecret,
  completeTrackedTask: bySecret,
  withdrawTrackedCase: bySecret,
  actOnTrackedCase: bySecret,
  answerTrackedQuestion: bySecret,
  uploadTrackedFile: bySecret,
  findMyselfAsBooker: 'signed-in',
  findBooker: { own: 'all', home: bookers, foreign: bookers },
  makeBookerAccount: bookers,
  getReservationOverview: bookers,
  listAvailableResources: bookers,

  uploadFile: 'signed-in',
  getFile: booking,
  getEvents: 'signed-in',

  getDemo: 'everybody',
  listMails: 'signed-in',
  getMail: mailed,
  getLiveness: 'everybody',
  getReadiness: 'everybody',
  getMetrics: 'everybody',
  getOpenapi: 'everybody',
}

/** Whose entries a list shows, and whether it can be searched for a word of them. */
export const lists: Readonly<Record<string, { admitted: ByPlace; searched: boolean }>> = {
  '/api/cases': { admitted: { ...booking, own: booking.foreign }, searched: true },
  '/api/cases?mine=true': { admitted: mine, searched: true },
  '/api/team/tasks?person=free': { admitted: leading, searched: false },
  '/api/tasks': { admitted: deciding, searched: true },
  // By their whole name everybody is found who could be appointed; the list itself has one's own people alone.
  '/api/people': { admitted: { own: roleSetup, home: roleSetup, foreign: overseers }, searched: false },
  '/api/registers/platform/student/items': { admitted: { ...student, own: overseers }, searched: true },
  '/api/substitutions': { admitted: mine, searched: false },
  '/api/mailbox': { admitted: mailed, searched: false },
}
