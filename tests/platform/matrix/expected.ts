import roles from '../../../forms/platform/roles.json' with { type: 'json' }
import type { Place } from './world.ts'

/**
 * Who gets in. `everybody`: visitors too. `signed-in`: everybody with an account. A list: these roles, whatever the
 * object. Otherwise by the owner of the object: roles, each held in the home units; `all` means everybody signed in.
 * Nobody else gets in, and visitors never. `untried`: the asker's own object, if that would end their session.
 */
export type Admitted = 'everybody' | 'signed-in' | readonly string[] | ByPlace
export type ByPlace = Record<Place, 'all' | 'untried' | readonly string[]>

const overseers = ['ADMIN', 'SA'] as const
/** A booking is visible to its requester and to roles with a desk on its path, in their units, as all are here. */
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

/** The roles that lead a task's department, including the head of its faculty, who does not decide it. */
const leading: ByPlace = { ...deciding, home: [...overseers, 'HOD', 'Dean'] }
/** The roles that work on a case, other than its requester. */
const inside: ByPlace = { ...booking, own: overseers }
/** The roles that lead a unit of the home side. */
const leaders = [...overseers, 'HOD', 'Dean', 'Division Head'] as const

/** Only with an identity server, which is not set here. */
const notThere: readonly string[] = []
/** It exists for nobody. */
const nobody: readonly string[] = []
/** By the cookie or the secret of one case, not by account. */
const bySecret: readonly string[] = []
/** The roles that open the administration of people: for their own units, ADMIN and SA for all. */
const roleSetup = [...overseers, 'HOD', 'Dean', 'Division Head', 'Registrar'] as const
/** Only a person's own, overseers included. */
const mine: ByPlace = { own: 'all', home: [], foreign: [] }
/** The roles that book for others. */
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
/** For models of flows: an owner their own, and only ADMIN and SA others. */
const owners = [...overseers, 'Process Owner'] as const
const modelling: ByPlace = { own: owners, home: owners, foreign: overseers }
/** ADMIN everywhere, and a head in their own department, because it is about the role of a head. */
const headship: ByPlace = { own: ['ADMIN'], home: ['ADMIN', 'HOD'], foreign: ['ADMIN'] }
/** Links in mails open accounts. */
const mailed: ByPlace = { own: 'all', home: ['ADMIN'], foreign: ['ADMIN'] }
/** The roles that deal with money. */
const cashiers = [
  ...['Bursar', 'Senior Assistant Bursar', 'Assistant Bursar', 'Deputy Bursar'],
  ...['Shroff Counter Officer', 'Finance MA', 'Book Keeper'],
] as const
/** The roles that read student entries: in their own units, as all are here. */
const readers = [
  ...[...overseers, 'Registrar', 'HOD', 'Dean', 'Faculty AR', 'MA', 'SSW AR', 'SSW MA', ...cashiers],
  // They lend instruments to students and staff.
  'Finance Store Keeper',
  // They enter patients, and results.
  'Doctor',
  'Nurse',
  'Exam AR',
  'Exam MA',
] as const
/** A student's entry. */
const student: ByPlace = { own: 'all', home: readers, foreign: overseers }
/** A staff member's entry. */
const office = [...overseers, 'HR AR', 'HR MA'] as const
const employee: ByPlace = {
  own: overseers,
  home: [...office, 'HOD', 'Dean', 'MA', 'Finance Store Keeper', 'Doctor', 'Nurse'],
  foreign: overseers,
}

/** The staff roles: all but those of students and temporary people. */
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

/** A student's identity card. */
const card: ByPlace = { own: 'all', home: [...overseers, ...auditors, 'MA', 'SSW AR', 'SSW MA'], foreign: overseers }

/** The roles that read the audit trail. */
const auditing = [...overseers, ...auditors] as const
const headsAudit = ['Deputy Internal Auditor'] as const

/** The roles that deal with money, and the auditors of it. */
const finance = [...overseers, ...auditors, ...cashiers] as const

/** The roles that have a desk on the path of a run, that hand its payments to the bank, and the auditors. */
export const runReaders = [
  ...overseers,
  ...auditors,
  'SSW MA',
  'SSW AR',
  'Registrar',
  'Vice Chancellor',
  'Bursar',
  'Deputy Bursar',
  'Finance MA',
]
/** The roles that record what became of payments. */
const runPayers = [...overseers, 'Bursar', 'Deputy Bursar', 'Finance MA']

/**
 * Written by hand from the university's rules, one entry per operation of the API: a new route fails until it has one.
 * After a colon, the same operation on another kind of object.
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
  sendPasswordLinks: [...overseers, 'Registrar', 'SSW AR', 'Head of IT'],
  listStudentLinks: [...overseers, 'Registrar', 'SSW AR', 'Head of IT'],

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
  // Everybody with the address, until it is revoked.
  readCalendarFeed: 'everybody',
  revokeCalendarFeed: mine,
  listNotifications: 'signed-in',
  listNews: 'signed-in',
  listWaitingEntries: 'signed-in',
  addNotification: 'signed-in',
  deleteNotification: mine,
  deleteNotifications: 'signed-in',
  seeNotifications: 'signed-in',

  listPeople: roleSetup,
  createPerson: roleSetup,
  // Of people elsewhere they see name and post, so that they can appoint them.
  getPerson: roleSetup,
  // Not SA if the account holds what SA could not grant: they could take it over.
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
  beginStartForm: 'signed-in',
  getOwnRecord: [...overseers, 'Temporary Employee'],
  saveOwnRecordStep: [...overseers, 'Temporary Employee'],
  discardOwnRecordDraft: [...overseers, 'Temporary Employee'],
  getFlowOpening: 'signed-in',
  listAnnouncements: 'signed-in',
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
  getCaseOffer: booking,
  getCaseDocument: booking,
  getCasePath: booking,
  listCaseVariables: booking,

  listTasks: 'signed-in',
  countTasks: 'signed-in',
  // Each has their own inbox; the lists below test its content.
  exportTasks: 'signed-in',
  listInboxFields: 'signed-in',
  listInboxViews: 'signed-in',
  saveInboxView: 'signed-in',
  changeInboxView: mine,
  deleteInboxView: mine,
  getInboxChoice: 'signed-in',
  changeInboxChoice: 'signed-in',
  getTask: booking,
  getTaskBeside: booking,
  // Nobody decides their own case.
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
  // Only the requester, not the people who work on the case.
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
  // The financial reports, from the vouchers' cash book to the bank file.
  getReport: finance,
  getReportFile: finance,
  'getReport:ageing': finance,
  'getReport:lead-times': finance,
  'getReport:payments': finance,
  'getReport:vote-entries': finance,
  'getReport:vote-ledger': finance,
  'getReport:bank-file': finance,
  'getReportFile:bank-file': finance,
  // Everybody here has a student entry, and sees their own payments; tests/finance tries what they see.
  'getReport:student-payments': 'signed-in',
  getReportStatement: 'signed-in',
  listUndoable: 'signed-in',
  saveDraft: deciding,
  discardDraft: deciding,
  // It lists refusals per task; for tasks of others it says only that.
  previewBulk: 'signed-in',
  // Everybody who may know a task may start it; each task is refused in its turn.
  startBulk: booking,
  listBulk: 'signed-in',
  getBulk: mine,
  stopBulk: mine,
  undoBulk: mine,
  // Of an item that does not exist; tests/year-renewals covers existing ones.
  getBatch: nobody,
  listBatchMembers: nobody,
  exportBatchMembers: nobody,
  openBatch: nobody,
  stopBatch: nobody,
  // Of a flow that nobody starts so; tests/intakes covers one that is.
  previewGatheredCases: nobody,
  startGatheredCases: nobody,
  previewEntryBatch: nobody,
  openEntryBatch: nobody,
  getEntryBatch: nobody,
  stopEntryBatch: nobody,
  getRun: runReaders,
  listRunLines: runReaders,
  listRunLineEvents: runReaders,
  exportRun: runReaders,
  printRun: runReaders,
  // It waits for the Bursar.
  actOnRunLine: [...overseers, 'Bursar'],
  actOnRunLines: [...overseers, 'Bursar'],
  // Tried before somebody returns the payment: who did would be refused for being the same person.
  settleRunLine: runPayers,
  returnRunLine: runPayers,
  oweRunLine: [...overseers, 'SSW AR'],
  numberRunCheques: runPayers,
  signRunLines: [...overseers, 'SSW MA', 'SSW AR'],
  listOwnAwards: 'signed-in',
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
  // Of an inbox view, which is no saved audit search.
  deleteAuditSearch: nobody,
  getPersonErasure: ['ADMIN'],
  askPersonErasure: { own: [], home: ['ADMIN'], foreign: ['ADMIN'] },
  listErasures: auditing,
  // Nobody for their own details, and SA and ADMIN for none.
  confirmErasure: { own: [], home: headsAudit, foreign: headsAudit },
  refuseErasure: { own: [], home: headsAudit, foreign: headsAudit },
  listSubstitutions: 'signed-in',
  'listSubstitutions:all': [...overseers, ...auditors],
  askSubstitute: staff,
  listSubstitutes: staff,
  // Only the person who was asked answers.
  acceptSubstitution: mine,
  declineSubstitution: mine,
  endSubstitution: { own: 'all', home: ['ADMIN'], foreign: ['ADMIN'] },

  // Operators; the role holds for the whole university or not at all.
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
  // Everybody reads how far their own import is.
  getImportProgress: 'signed-in',
  importItems: overseers,
  'listItems:student': readers,
  'getItem:student': student,
  // Students change their own telephone number, and nothing else.
  'changeItem:student': { own: student.own, home: overseers, foreign: overseers },
  // Student affairs keep the register, here with a role that is limited to a unit.
  'setItemStatus:student': { own: overseers, home: [...overseers, 'SSW AR'], foreign: overseers },
  'createItem:student': overseers,
  'importItems:student': [...overseers, 'SSW AR'],
  'getItem:card': card,
  printItem: card,
  printItems: card,
  drawItem: card,
  'getItem:employee': employee,
  'changeItem:employee': { own: overseers, home: office, foreign: overseers },
  // They belong to no unit: a role held in one unit does not reach them.
  'getItem:temporary-employee': overseers,
  // A department has nothing encrypted; tests/medical covers registers that have.
  openRecord: nobody,
  listStock: [...overseers, 'Doctor', 'Nurse'],
  // Of things that do not exist; tests/medical covers existing ones.
  listStockMovements: nobody,
  receiveStock: nobody,
  issueStock: nobody,
  countStock: nobody,
  correctStock: nobody,
  decideStockReduction: nobody,
  receivePatient: nobody,
  getDispensing: nobody,
  dispense: nobody,
  listOwnOwed: 'signed-in',
  listOwed: {
    own: 'all',
    home: [...overseers, 'SSW AR', 'SSW MA', 'Registrar', 'Faculty AR', 'MA'],
    foreign: overseers,
  },
  lookUpScanned: 'signed-in',
  getOccupancyPlan: [...overseers, 'SSW AR', 'SSW MA'],
  getCalendar: 'signed-in',
  getPublicFlow: 'everybody',
  getPublicForm: 'everybody',
  getPublicRegister: 'everybody',
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
  applyWithAccount: 'everybody',
  beginApplication: 'everybody',
  confirmCaseAsGuest: 'everybody',
  // Everybody with a mailed link: the service checks the rights of its reader.
  lookAtTaskLink: 'everybody',
  decideByTaskLink: 'everybody',
  lookAtMailedQuestion: 'everybody',
  answerMailedQuestion: 'everybody',
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
  // For roles that are held university-wide; tests/vehicles covers them.
  listFreeVehicles: overseers,
  getVehicleBoard: overseers,
  // Of a curriculum that does not exist; tests/setup covers existing ones.
  compareCurriculums: nobody,

  uploadFile: 'signed-in',
  listFiles: 'signed-in',
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

/** Whose entries a list shows, and whether it can be searched for a word in them. */
export const lists: Readonly<Record<string, { admitted: ByPlace; searched: boolean }>> = {
  '/api/cases': { admitted: { ...booking, own: booking.foreign }, searched: true },
  '/api/cases?mine=true': { admitted: mine, searched: true },
  '/api/team/tasks?person=free': { admitted: leading, searched: false },
  '/api/tasks': { admitted: deciding, searched: true },
  // A search by full name finds everybody who could be appointed; the list contains only the reader's own people.
  '/api/people': { admitted: { own: roleSetup, home: roleSetup, foreign: overseers }, searched: false },
  '/api/registers/platform/student/items': { admitted: { ...student, own: overseers }, searched: true },
  '/api/substitutions': { admitted: mine, searched: false },
  '/api/mailbox': { admitted: mailed, searched: false },
}
