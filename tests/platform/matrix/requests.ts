import { PASSWORD } from '../kit/people.ts'
import type { Things } from './world.ts'

/** What one request carries beside its method and address. */
export interface Sent {
  params?: Record<string, string>
  query?: string
  body?: unknown
  headers?: Record<string, string>
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const flow = 'resource-reservation/resource-booking'
const department = { area: 'platform', name: 'department' }
const students = { area: 'platform', name: 'student' }
const employees = { area: 'platform', name: 'employee' }
const temporary = { area: 'platform', name: 'temporary-employee' }
const ofVouchers = (name: string): Sent => ({ params: { area: 'vouchers', name } })
const reason = 'The matrix asks'
const headOf = ({ department: id }: Things) => ({ role: 'HOD', scope: { kind: 'department', id } })
const byPerson = ({ person }: Things): Sent => ({ params: { id: person } })
/** Without the password, which would take its time to be found wrong. */
const nothing = (): Sent => ({ body: {} })
const byCase = ({ caseId }: Things): Sent => ({ params: { id: caseId } })
const byTask = ({ taskId }: Things): Sent => ({ params: { id: taskId } })
/** Another one of the flow has its name. */
const aScenario = { name: 'Taken', steps: [], expect: {} }
const byModel = ({ process }: Things): Sent => ({ params: { process } })
const toItself = ({ process, model }: Things): Sent => ({ params: { process }, body: { from: model, to: model } })
const movesNobody = (things: Things): Sent => {
  const { params, body } = toItself(things)
  return { ...(params && { params }), body: { ...(body as object), instructions: [] } }
}
const byItem = ({ person: item }: Things): Sent => ({ params: { area: 'year-renewals', flow: 'year-renewal', item } })

/**
 * A well-formed request for each operation that needs more than its address, about the things of one place. Whoever
 * may not is refused for who they are; past the door it may still fail, but for another reason.
 */
export const requests: Readonly<Record<string, (things: Things) => Sent>> = {
  getToken: () => ({ body: 'grant_type=password', headers: form }),
  startSignInAtIdentityServer: () => ({ query: 'to=/dashboard' }),
  endSessionsByIdentityServer: () => ({ body: 'logout_token=none', headers: form }),
  signInWithPasskey: ({ person }) => ({ body: { challenge: person, response: {} } }),
  rotateTokenKeys: () => ({ body: { reason: 'The matrix asks' } }),
  checkEmail: () => ({ query: 'email=somebody@example.lk' }),
  register: () => ({ body: { email: 'somebody@example.lk', password: 'none' } }),
  createApplicantAccount: () => ({ body: {} }),
  setPassword: () => ({ body: { username: 'somebody', password: 'none' } }),
  forgotPassword: () => ({ body: {} }),
  lookAtToken: () => ({ body: { token: 'none' } }),
  confirmEmail: () => ({ body: { token: 'none' } }),
  sendPasswordLinks: () => ({ body: { items: [] } }),

  changeMe: () => ({ body: { language: 'en' } }),
  changeMyPhoto: () => ({ body: { file: null } }),
  changeMyPassword: nothing,
  endMySession: ({ session }) => ({ params: { id: session } }),
  beginTotp: nothing,
  confirmTotp: () => ({ body: { code: '000000' } }),
  removeTotp: nothing,
  renewRecoveryCodes: nothing,
  beginPasskey: nothing,
  addPasskey: ({ person }) => ({ body: { challenge: person, name: 'none', response: {} } }),
  removePasskey: ({ passkey }) => ({ params: { id: passkey }, body: { password: PASSWORD } }),
  makeCalendarFeed: ({ person }) => ({ body: { item: person } }),
  revokeCalendarFeed: ({ calendarFeed }) => ({ params: { id: calendarFeed } }),
  addNotification: () => ({ body: { notification: {} } }),
  deleteNotification: ({ notification }) => ({ body: { id: notification } }),

  createPerson: () => ({ body: { name: 'x', email: 'no address', reason } }),
  getPerson: byPerson,
  changePerson: (things) => ({
    ...byPerson(things),
    body: { name: 'Somebody', email: 'no address', post: null, active: true, reason },
    headers: { 'if-match': '"1"' },
  }),
  signOutPerson: (things) => ({ ...byPerson(things), body: { reason } }),
  endPersonSecondFactor: (things) => ({ ...byPerson(things), body: { reason } }),
  sendPersonPasswordLink: byPerson,
  giveGrant: (things) => ({ ...byPerson(things), body: { ...headOf(things), reason } }),
  endGrant: ({ grant }) => ({ params: { id: grant }, body: { reason } }),
  showGrantEffect: (things) => ({ ...byPerson(things), body: { add: [headOf(things)] } }),
  importGrants: () => ({ body: { csv: 'username,role\n', commit: false } }),
  changeGroup: () => ({
    params: { name: 'dataSetup' },
    body: { roles: ['nobody has heard of it'], reason },
    headers: { 'if-match': '"1"' },
  }),
  showGroupEffect: () => ({ params: { name: 'dataSetup' }, body: { roles: [] } }),
  getPost: ({ post }) => ({ params: { id: post } }),
  appointHolder: ({ post, person }) => ({ params: { id: post }, body: { accountId: person, reason } }),
  showAppointmentEffect: ({ post, person }) => ({ params: { id: post }, body: { accountId: person } }),
  endHolding: ({ postHolder }) => ({ params: { id: postHolder }, body: { reason } }),

  getFlow: () => ({ params: { area: 'resource-reservation', flow: 'resource-booking' } }),
  getStartDraft: () => ({ params: { area: 'resource-reservation', flow: 'resource-booking' } }),
  saveStartDraft: () => ({ params: { area: 'resource-reservation', flow: 'resource-booking' }, body: { data: {} } }),
  discardStartDraft: () => ({ params: { area: 'resource-reservation', flow: 'resource-booking' } }),
  getFlowOpening: () => ({ params: { area: 'resource-reservation', flow: 'resource-booking' } }),
  getForm: ({ formHash }) => ({ params: { hash: formHash } }),
  getFormValidator: ({ formHash }) => ({ params: { hash: formHash } }),
  getProcessDefinition: ({ definition }) => ({ params: { id: definition } }),
  getProcessDefinitionXml: ({ definition }) => ({ params: { id: definition } }),

  holdSlot: () => ({ body: { flow, data: {} } }),
  releaseHold: ({ hold }) => ({ params: { id: hold } }),
  submitCase: () => ({ body: { flow, data: {} } }),
  getCase: byCase,
  withdrawCase: (things) => ({ ...byCase(things), body: { reason: 'The matrix asks' } }),
  holdSlotAsGuest: () => ({ body: { flow, data: {} } }),
  releaseHoldAsGuest: ({ hold: id }) => ({ params: { id } }),
  submitCaseAsGuest: () => ({ body: { flow, data: {}, account: {}, understood: true } }),
  confirmCaseAsGuest: () => ({ body: { token: 'none' } }),
  lookAtTaskLink: () => ({ params: { token: 'none' } }),
  decideByTaskLink: () => ({ params: { token: 'none' }, body: { data: {} } }),
  trackCase: () => ({ body: { reference: 'none', secret: 'none' } }),
  resendTracking: () => ({ body: { reference: 'none', email: 'none' } }),
  findBooker: ({ nic }) => ({ query: `nic=${nic}` }),
  makeBookerAccount: () => ({ body: {} }),
  getReservationOverview: () => ({ query: 'from=2026-03-01&until=2026-03-31' }),
  listAvailableResources: () => ({ query: 'from=2026-03-01T03:30:00Z&until=2026-03-01T05:30:00Z' }),
  actOnCase: (things) => ({ params: { ...byCase(things).params, name: 'cancel' }, body: { data: {} } }),
  getCaseHistory: byCase,
  getEarlierCases: byCase,
  getCaseDocument: ({ caseId, document }) => ({ params: { id: caseId, document } }),
  getCasePath: byCase,
  listCaseVariables: byCase,

  exportTasks: () => ({ query: 'format=csv' }),
  saveInboxView: () => ({ body: { name: 'The matrix asks', query: {} } }),
  changeInboxView: ({ view: id }) => ({ params: { id }, body: { version: 9, name: 'The matrix asks' } }),
  deleteInboxView: ({ view: id }) => ({ params: { id } }),
  changeInboxChoice: () => ({ body: { density: 'compact' } }),
  getTask: byTask,
  claimTask: byTask,
  releaseTask: byTask,
  undoTask: byTask,
  sendTask: byTask,
  completeTask: (things) => ({ ...byTask(things), body: { data: {} } }),
  assignTask: (things) => ({ ...byTask(things), body: { to: things.person } }),
  delegateTask: (things) => ({ ...byTask(things), body: { to: things.person, words: reason } }),
  resolveTask: (things) => ({ ...byTask(things), body: { opinion: reason } }),
  followUpTask: (things) => ({ ...byTask(things), body: { at: null } }),
  setTaskPriority: (things) => ({ ...byTask(things), body: { priority: 50 } }),
  setTaskDue: (things) => ({ ...byTask(things), body: { at: '2020-01-01T00:00:00Z', reason } }),
  listPeopleForTask: (things) => ({ ...byTask(things), query: 'for=assign' }),
  answerQuestion: ({ caseId: id, question }) => ({ params: { id, question }, body: { answer: reason } }),
  askRequester: (things) => ({ ...byTask(things), body: { question: reason } }),
  withdrawQuestion: byTask,
  listComments: byCase,
  addComment: (things) => ({ ...byCase(things), body: { body: reason } }),
  deleteComment: ({ comment: id }) => ({ params: { id } }),
  listPeopleForCase: byCase,
  lookAtTask: (things) => ({ ...byTask(things), body: { typing: false } }),
  leaveTask: byTask,
  listTeamTasks: () => ({ query: 'person=free' }),
  getReport: () => ofVouchers('cash-book'),
  getReportFile: () => ({ ...ofVouchers('cash-book'), query: 'format=csv' }),
  'getReport:ageing': () => ofVouchers('ageing'),
  'getReport:lead-times': () => ofVouchers('lead-times'),
  'getReport:payments': () => ofVouchers('payments'),
  'getReport:vote-entries': () => ofVouchers('vote-entries'),
  'getReport:vote-ledger': () => ofVouchers('vote-ledger'),
  'getReport:bank-file': () => ofVouchers('bank-file'),
  'getReportFile:bank-file': () => ({ ...ofVouchers('bank-file'), query: 'format=csv' }),
  listModelVersions: byModel,
  getModelVersion: ({ process, model }) => ({ params: { process, definitionId: model } }),
  getModelVocabulary: byModel,
  checkModel: (things) => ({ ...byModel(things), body: { bpmn: 'no model' } }),
  beginModelDraft: (things) => ({ ...byModel(things), body: {} }),
  getModelDraft: byModel,
  saveModelDraft: (things) => ({ ...byModel(things), body: { revision: 1 } }),
  discardModelDraft: byModel,
  lockModelDraft: (things) => ({ ...byModel(things), body: {} }),
  unlockModelDraft: byModel,
  deployModel: (things) => ({ ...byModel(things), body: { revision: 1, note: reason } }),
  rollBackModel: (things) => ({ ...byModel(things), body: { definitionId: things.model, note: reason } }),
  getModelProposal: ({ process, proposal: id }) => ({ params: { process, id } }),
  decideModelProposal: ({ process, proposal: id }) => ({
    params: { process, id },
    body: { accept: true, note: reason },
  }),
  changeModelSettings: (things) => ({ ...byModel(things), body: { secondOwner: true } }),
  askSecondOwnerWaiver: (things) => ({ ...byModel(things), body: { reason } }),
  decideSecondOwnerWaiver: ({ process, waiver: id }) => ({
    params: { process, id },
    body: { accept: true, note: reason },
  }),
  planMigration: toItself,
  validateMigration: movesNobody,
  beginMigration: movesNobody,
  stopMigration: ({ process, migration: id }) => ({ params: { process, id }, body: { reason } }),
  getMigration: ({ process, migration: id }) => ({ params: { process, id } }),
  getHeat: byModel,
  checkDecisionTables: (things) => ({ ...byModel(things), body: { dmn: 'no table' } }),
  tryDecisionTable: (things) => ({ ...byModel(things), body: { dmn: 'no table', decision: 'x', inputs: {} } }),
  listScenarios: byModel,
  getScenarioParts: byModel,
  recordScenario: (things) => ({ ...byModel(things), body: { reference: 'AU-2026-00001' } }),
  createScenario: (things) => ({ ...byModel(things), body: aScenario }),
  changeScenario: ({ process, proposal: id }) => ({ params: { process, id }, body: aScenario }),
  deleteScenario: ({ process, proposal: id }) => ({ params: { process, id } }),
  runScenarios: (things) => ({ ...byModel(things), body: { ids: ['absent'] } }),
  rehearseModel: (things) => ({ ...byModel(things), body: { last: 1 } }),
  getScenarioRun: ({ process, scenarioRun: id }) => ({ params: { process, id } }),
  reportDesks: () => ({ query: 'from=2026-03-01&until=2026-03-31' }),
  saveDraft: (things) => ({ ...byTask(things), body: { data: {} } }),
  discardDraft: byTask,
  previewBulk: ({ taskId }) => ({ body: { kind: 'complete', tasks: [taskId] } }),
  startBulk: ({ taskId }) => ({ body: { kind: 'complete', tasks: [taskId] } }),
  getBulk: ({ bulk: id }) => ({ params: { id } }),
  stopBulk: ({ bulk: id }) => ({ params: { id } }),
  undoBulk: ({ bulk: id }) => ({ params: { id } }),
  getBatch: byItem,
  listBatchMembers: byItem,
  exportBatchMembers: (things) => ({ ...byItem(things), query: 'format=csv' }),
  openBatch: byItem,
  stopBatch: byItem,
  getTaskWhy: byTask,
  exportAuditSearch: () => ({ query: 'format=csv&action=grant.given' }),
  findAuditPeople: () => ({ query: 'name=near' }),
  getAuditPerson: ({ person: id }) => ({ params: { id } }),
  getAuditCase: byCase,
  listAuditMoments: byCase,
  exportAuditCase: (things) => ({ ...byCase(things), query: 'format=json' }),
  getAuditReport: () => ({ params: { name: 'grants' } }),
  exportAuditReport: () => ({ params: { name: 'grants' }, query: 'format=csv' }),
  verifyAudit: () => ({ query: 'until=2020-01-01' }),
  exportAuditChain: () => ({ query: 'until=2020-01-01' }),
  saveAuditSearch: () => ({ body: { name: 'The matrix asks', query: {} } }),
  deleteAuditSearch: ({ view: id }) => ({ params: { id } }),
  'listSubstitutions:all': () => ({ query: 'all=true' }),
  askSubstitute: ({ person: substitute }) => ({
    body: { substitute, from: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' },
  }),
  listSubstitutes: () => ({ query: 'search=near' }),
  acceptSubstitution: ({ substitution: id }) => ({ params: { id } }),
  declineSubstitution: ({ substitution: id }) => ({ params: { id } }),
  endSubstitution: ({ substitution: id }) => ({ params: { id } }),

  listOperationItems: () => ({ params: { cause: '0'.repeat(32) } }),
  retryOperations: () => ({ body: { items: ['job:0'], reason: 'To see what happens' } }),
  getTokens: ({ caseId }) => ({ params: { case: caseId } }),
  previewMove: ({ caseId }) => ({ params: { case: caseId }, query: 'from=a&to=b' }),
  moveToken: ({ caseId }) => ({ params: { case: caseId }, body: { from: 'a', to: 'b', reason: 'To see' } }),

  getRegister: () => ({ params: department }),
  listItems: () => ({ params: department }),
  getItem: (things) => ({ params: { ...department, id: things.department } }),
  createItem: () => ({ params: department, body: { data: {} } }),
  changeItem: (things) => ({
    params: { ...department, id: things.department },
    body: { data: {} },
    headers: { 'if-match': '"1"' },
  }),
  setItemStatus: (things) => ({ params: { ...department, id: things.department }, body: { status: 'Unheard of' } }),
  getImportTemplate: () => ({ params: department }),
  importItems: () => ({ params: department, body: { csv: 'name\n', commit: false } }),
  'listItems:student': () => ({ params: students }),
  'getItem:student': (things) => ({ params: { ...students, id: things.student } }),
  'changeItem:student': (things) => ({
    params: { ...students, id: things.student },
    body: { data: {} },
    headers: { 'if-match': '"1"' },
  }),
  'setItemStatus:student': (things) => ({ params: { ...students, id: things.student }, body: { status: 'none' } }),
  'createItem:student': () => ({ params: students, body: { data: {} } }),
  'importItems:student': () => ({ params: students, body: { csv: 'reg_no\n', commit: false } }),
  'getItem:employee': (things) => ({ params: { ...employees, id: things.employee } }),
  'changeItem:employee': (things) => ({
    params: { ...employees, id: things.employee },
    body: { data: { department: things.department } },
    headers: { 'if-match': '"1"' },
  }),
  'getItem:temporary-employee': (things) => ({ params: { ...temporary, id: things.temporaryEmployee } }),
  getCalendar: () => ({ query: 'year=2026' }),
  getPublicForm: () => ({ params: { area: 'applicant-accounts', name: 'account' } }),
  listPublicItems: () => ({ params: department }),
  verifyDocument: ({ documentCode }) => ({ params: { code: documentCode } }),
  getPublicItem: (things) => ({ params: { ...department, id: things.department } }),
  askAvailability: () => ({ body: { flow, data: {} } }),
  listPublicAllocations: (things) => ({
    query: `item=${things.department}&from=2031-01-01T00:00:00Z&until=2031-01-02T00:00:00Z`,
  }),
  listComingEvents: () => ({ params: department }),
  readCalendarFeed: ({ calendarSecret }) => ({ params: { secret: calendarSecret } }),

  uploadFile: () => ({ body: '', headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
  getFile: ({ file }) => ({ params: { id: file } }),
  getMail: ({ mail }) => ({ params: { id: mail } }),
}
