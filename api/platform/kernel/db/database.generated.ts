// Made by `npm run generate` out of the migrations (6cd897071fe5e6e1). Not to be edited.
import type { ColumnType } from 'kysely'

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

export type Int8 = ColumnType<string, bigint | number | string, bigint | number | string>

export type Json = JsonValue

export type JsonArray = JsonValue[]

export type JsonObject = {
  [x: string]: JsonValue | undefined
}

export type JsonPrimitive = boolean | number | string | null

export type JsonValue = JsonArray | JsonObject | JsonPrimitive

export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface Account {
  active: Generated<boolean>
  changed_at: Generated<Timestamp>
  created_at: Generated<Timestamp>
  email: string
  email_confirmed_at: Timestamp | null
  /**
   * the own entry came with the account, and nobody who keeps the register has changed it since
   */
  entry_unchecked: Generated<boolean>
  id: string
  /**
   * sub at the identity server, where one is set
   */
  identity_subject: string | null
  /**
   * when the identity server last told the roles: an older token of its changes nothing
   */
  identity_told_at: Timestamp | null
  language: Generated<'en' | 'si' | 'ta'>
  mail_cases: Generated<boolean>
  mail_digest: Generated<boolean>
  mail_new_tasks: Generated<boolean>
  mail_tasks: Generated<boolean>
  name: string
  password_changed_at: Timestamp | null
  password_hash: string | null
  photo_id: string | null
  post: string | null
  /**
   * the person's own entry in the register of employees, temporary employees or students
   */
  record_id: string | null
  /**
   * an entry of a register answers for the name
   */
  registered: Generated<boolean>
  username: string
  version: Generated<number>
}

export interface Activity {
  canceled: Generated<boolean>
  case_id: string
  element: string
  ended_at: Timestamp | null
  id: string
  name: string | null
  position: Generated<Int8>
  process_definition_id: string
  started_at: Timestamp
  task_id: string | null
  type: string
}

export interface Allocation {
  booked: string
  case_id: string | null
  changed_at: Generated<Timestamp>
  created_at: Generated<Timestamp>
  during: string
  exclusive: Generated<boolean>
  expires_at: Timestamp | null
  guest_id: string | null
  holder_id: string | null
  id: string
  item_id: string
  main_id: string | null
  most_a_day: number | null
  path: string | null
  purpose: Generated<string>
  quantity: Generated<number>
  state: 'claimed' | 'final' | 'hold' | 'released'
  submission_id: string | null
}

export interface Artifact {
  content: string
  created_at: Generated<Timestamp>
  hash: string
  key: string
  kind: string
}

export interface AuditCheckpoint {
  at: Generated<Timestamp>
  before: Int8 | null
  hash: Buffer
  key_id: string
  sequence: Int8
  signature: Buffer
}

export interface AuditEntry {
  acted_as: string | null
  action: string
  actor: string
  at: Generated<Timestamp>
  case_id: string | null
  commitment: Buffer
  id: Generated<Int8>
  object: string | null
}

export interface AuditErasure {
  act_id: Int8
  entry_id: Int8
}

export interface AuditKey {
  at: Generated<Timestamp>
  id: string
  public_key: string
}

export interface AuditLookup {
  action: string
  at: Timestamp
  case_id: string | null
  desk: string | null
  entry_id: Int8
  flow: string | null
  words: string | null
}

export interface AuditPayload {
  entry_id: Int8
  payload: Json
  salt: Buffer
}

export interface AuditPerson {
  acted: boolean
  action: string
  at: Timestamp
  desk: string | null
  entry_id: Int8
  flow: string | null
  person: string
}

export interface AuditSeal {
  at: Generated<Timestamp>
  entry_id: Int8
  hash: Buffer
  previous: Buffer
  sequence: Int8
}

export interface AuditSearched {
  one: Generated<boolean>
  sequence: Int8
}

export interface BegunForm {
  account_id: string | null
  begun_at: Generated<Timestamp>
  flow: string
  id: Generated<string>
  item: string
}

export interface BulkAction {
  account_id: string
  created_at: Generated<Timestamp>
  ended_at: Timestamp | null
  id: string
  kind: 'assign' | 'claim' | 'complete' | 'release'
  payload: Generated<Json>
  state: Generated<string>
  total: number
}

export interface BulkItem {
  at: Timestamp | null
  bulk_id: string
  code: string | null
  position: number
  state: Generated<string>
  task_id: string
  values: Generated<Json>
}

export interface CalendarFeed {
  account_id: string
  created_at: Generated<Timestamp>
  id: string
  item_id: string | null
  revoked_at: Timestamp | null
  secret_hash: Buffer
}

export interface CaseBatch {
  account_id: string
  acted_as: string
  created_at: Generated<Timestamp>
  ended_at: Timestamp | null
  flow: string
  id: string
  item_id: string | null
  state: Generated<string>
  total: number
}

export interface CaseBatchEntry {
  at: Timestamp | null
  batch_id: string
  case_id: string | null
  code: string | null
  position: number
  record_id: string
  state: Generated<string>
}

export interface CaseClaim {
  case_id: string
  flow: string
  item_id: string
}

export interface CaseComment {
  at: Generated<Timestamp>
  author_id: string
  body: string
  case_id: string
  deleted_at: Timestamp | null
  id: string
  kind: Generated<string>
  task_id: string | null
}

export interface CaseCommentFile {
  comment_id: string
  file_id: string
}

export interface CaseCommentMention {
  account_id: string
  comment_id: string
}

export interface CaseDesk {
  case_id: string
  source: string
  target: string
}

export interface CaseFile {
  case_id: string
  file_id: string
  path: string
  submission_id: string | null
}

export interface CaseItem {
  case_id: string
  item_id: string
  item_version: number
  path: string
}

export interface CaseLink {
  again: Generated<string[]>
  case_id: string
  name: string
  once: boolean
  origin_id: string
}

export interface CaseMigration {
  account_id: string
  acted_as: string
  created_at: Generated<Timestamp>
  from_id: string
  id: string
  instructions: Json
  process: string
  reason: string
  stop_reason: string | null
  stopped_as: string | null
  stopped_at: Timestamp | null
  stopped_by: string | null
  to_id: string
}

export interface CaseMigrationEntry {
  at: Timestamp | null
  case_id: string
  code: string | null
  command_id: string | null
  detail: string | null
  migration_id: string
  position: number
  state: Generated<string>
}

export interface CasePayment {
  case_id: string
  reference: string
}

export interface CasePlace {
  case_id: string
  changed_at: Generated<Timestamp>
  field: string
  id: Generated<Int8>
  item_id: string
  state: string
}

export interface CaseTracking {
  case_id: string
  confirm_until: Timestamp | null
  confirmation_hash: Buffer | null
  confirmed_at: Timestamp | null
  created_at: Generated<Timestamp>
  secret_hash: Buffer
}

export interface Challenge {
  account_id: string | null
  attempts: Generated<number>
  expires_at: Timestamp
  id: string
  kind: string
  value: string
}

export interface ChequeNumber {
  bank_account_id: string
  number: string
}

export interface Command {
  acting_user: string
  answers: Generated<number>
  attempts: Generated<number>
  case_id: string
  created_at: Generated<Timestamp>
  done_at: Timestamp | null
  id: string
  kind: string
  lane: Generated<'bulk' | 'interactive'>
  last_error: string | null
  next_attempt_at: Generated<Timestamp>
  not_before: Generated<Timestamp>
  payload: Json
  result: Json | null
  sequence: Generated<Int8>
  state: Generated<'cancelled' | 'done' | 'pending' | 'refused'>
  submission_id: string | null
  task_id: string | null
}

export interface DemoStory {
  area: string
  case_id: string | null
  nr: number
  state: Generated<string>
}

export interface DeskPromise {
  /**
   * when the mail was written, in the same transaction
   */
  done_at: Timestamp | null
  due_at: Timestamp
  kind: string
  task_id: string
  /**
   * prefix of the text keys of the mail
   */
  template: string
}

export interface Document {
  case_id: string
  data: ColumnType<JsonObject, Json, Json>
  id: string
  issued_at: Generated<Timestamp>
  issued_by: string | null
  kind: string
  number: string
}

export interface DocumentEnd {
  at: Generated<Timestamp>
  document_id: string
}

export interface DocumentVerification {
  case_id: string
  code: string
  document_id: string
  ended_at: Timestamp | null
  holder: string
  kind: string
  pdf: Buffer
  replaced_by: string | null
  sha256: string
  signed_by: ColumnType<string[], Json, Json>
}

export interface EncryptedField {
  about: string | null
  field: string
  register: string
}

export interface EngineCommand {
  at: Generated<Timestamp>
  id: string
}

export interface EngineEvent {
  at: Generated<Timestamp>
  body: Json
  entity: string
  event: string
  id: Generated<Int8>
  process_instance_id: string | null
  tenant_id: string | null
}

export interface Erasure {
  asked_at: Generated<Timestamp>
  asked_by: string
  decided_at: Timestamp | null
  decided_by: string | null
  erased: number | null
  id: string
  person_id: string
  reason: string
  refusal: string | null
  state: Generated<string>
}

export interface FieldKey {
  fingerprint: string
  first_started_at: Generated<Timestamp>
  id: string
}

export interface File {
  attached_at: Timestamp | null
  content_type: string
  created_at: Generated<Timestamp>
  height: number | null
  id: string
  name: string
  owner_id: string | null
  public: Generated<boolean>
  scanned_at: Timestamp | null
  sha256: string
  size: Int8
  storage_key: string
  width: number | null
}

export interface FlowCase {
  amount: Int8 | null
  changed_at: Generated<Timestamp>
  closes_at: Timestamp | null
  created_at: Generated<Timestamp>
  data: ColumnType<JsonObject, Json | undefined, Json>
  drifted: Generated<boolean>
  end_reason: string | null
  ended_at: Timestamp | null
  facts: ColumnType<JsonObject, Json | undefined, Json>
  filters: Generated<Json>
  finish_until: Timestamp | null
  flow: string
  flow_hash: string
  id: string
  leads: string | null
  led_from: string | null
  once_key: string | null
  open_item: string | null
  process_definition_id: string
  process_instance_id: string | null
  reference: string
  requester_id: string
  scope: ColumnType<Record<string, string>, Json | undefined, Json>
  sent_by: string | null
  sole_asked: string | null
  sole_key: string | null
  state: Generated<'ended' | 'failed' | 'running' | 'starting'>
  status: string
  statuses: ColumnType<Record<string, string>, Json | undefined, Json>
  subject: ColumnType<JsonObject, Json | undefined, Json>
  version: Generated<number>
  withdrawal_reason: string | null
  withdrawn_at: Timestamp | null
}

export interface Idempotency {
  account_id: string
  at: Generated<Timestamp>
  body: Json | null
  key: string
  request_hash: string
  status: number | null
}

export interface ImportProgress {
  account_id: string
  at: Generated<Timestamp>
  done: number
  id: string
  register: string
  step: string
  total: number
}

export interface Inbox {
  amount: Int8 | null
  created: Timestamp
  due: Timestamp | null
  flow: string
  follow_up: Timestamp | null
  principal: string
  priority: Generated<number>
  state: string
  task: string
}

export interface InboxChoice {
  account_id: string
  changed_at: Generated<Timestamp>
  columns: ColumnType<Record<string, string[]>, Json | undefined, Json>
  density: Generated<string>
  grouping: Generated<string>
  start_view: string | null
}

export interface InboxFilter {
  created: Timestamp
  field: string
  principal: string
  state: string
  task: string
  value: string
}

export interface InboxView {
  created_at: Generated<Timestamp>
  id: string
  list: Generated<string>
  name: string
  owner_id: string
  query: ColumnType<Record<string, string>, Json, Json>
  shared_with: string | null
  version: Generated<number>
}

export interface Incident {
  at: Generated<Timestamp>
  case_id: string | null
  element: string | null
  id: string
  kind: string
  message: string
  resolved_at: Timestamp | null
}

export interface ItemCode {
  code: string
  item_id: string
  made_at: Generated<Timestamp>
}

export interface ItemRest {
  case_id: string
  during: string
  item_id: string
}

export interface LedgerAccount {
  balance: Generated<Int8>
  batch_id: string | null
  case_id: string | null
  expires_on: Timestamp | null
  id: string
  kind: string
  overdraft: Generated<boolean>
  stock_of: string | null
}

export interface LedgerEntry {
  at: Generated<Timestamp>
  case_id: string | null
  id: string
  key: string
  kind: string
  lines: number
  memo: string | null
  posted_by: string | null
}

export interface LedgerLine {
  account_id: string
  amount: Int8
  entry_id: string
  position: number
}

export interface LostFieldKey {
  declared_at: Generated<Timestamp>
  id: string
  reason: string
}

export interface Mail {
  attachments: ColumnType<{ content: string; name: string; type: string }[], Json | undefined, Json>
  attempts: Generated<number>
  body: string
  case_id: string | null
  created_at: Generated<Timestamp>
  id: string
  last_error: string | null
  message_id: string
  once: string | null
  recipient: string
  recipient_id: string | null
  sent_at: Timestamp | null
  state: Generated<'failed' | 'pending' | 'sent'>
  subject: string
  template: string
}

export interface MailedQuestion {
  answered_at: Timestamp | null
  asked_at: Generated<Timestamp>
  case_id: string
  closes_at: Timestamp
  data: Json | null
  id: string
  name: string
  outcome: string | null
  void_at: Timestamp | null
}

export interface MailedQuestionLink {
  created_at: Generated<Timestamp>
  id: string
  question_id: string
  token_hash: Buffer
}

export interface NameChange {
  account_id: string
  asked_at: Generated<Timestamp>
  decided_at: Timestamp | null
  decided_by: string | null
  id: string
  name: string
  reason: string | null
  state: Generated<string>
}

export interface Notification {
  account_id: string
  at: Generated<Timestamp>
  heading: string
  icon_color: string
  icon_name: string
  id: string
  path: string | null
  seen_at: Timestamp | null
  subtitle: Generated<string>
  title: string
}

export interface NumberSeries {
  last: Int8
  period: string
  series: string
}

export interface OneTimeToken {
  account_id: string
  address: string
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  hash: Buffer
  id: string
  mailed: boolean
  purpose: 'confirm-email' | 'set-password'
  used_at: Timestamp | null
}

export interface OwnRecord {
  account_id: string
  data: Json | null
  draft: Json | null
  record: string
  saved_at: Generated<Timestamp>
  step: string
  version: Generated<number>
}

export interface OwnRecordFile {
  account_id: string
  file_id: string
  record: string
  step: string
}

export interface ParkedEvent {
  at: Timestamp
  body: Json
  case_id: string | null
  entity: string
  event: string
  id: Int8
  parked_at: Generated<Timestamp>
  process_instance_id: string | null
  reason: string
}

export interface Passkey {
  account_id: string
  counter: Int8
  created_at: Generated<Timestamp>
  id: string
  last_used_at: Timestamp | null
  name: string
  public_key: Buffer
  transports: Generated<string[]>
}

export interface PermissionGroup {
  changed_at: Generated<Timestamp>
  changed_by: string | null
  name: string
  roles: Generated<string[]>
  version: Generated<number>
}

export interface PostHolder {
  account_id: string
  acting: Generated<boolean>
  appointed_by: string | null
  created_at: Generated<Timestamp>
  end_reason: string | null
  ended_by: string | null
  ends_at: Timestamp | null
  id: string
  post_id: string
  reason: string
  starts_at: Timestamp
}

export interface ProcessDefinition {
  bpmn_hash: string
  deployed_at: Generated<Timestamp>
  deployment_id: string
  dmn: Generated<Json>
  flow: string
  flow_hash: string
  forms: Json
  id: string
  process_key: string
  source: string
  tenant_id: string | null
  version: number
}

export interface RecordOpening {
  account_id: string
  how: string
  id: string
  item_id: string
  opened_at: Generated<Timestamp>
  reason: string | null
  until: Timestamp
}

export interface RecoveryCode {
  account_id: string
  hash: Buffer
  used_at: Timestamp | null
}

export interface RefreshToken {
  account_id: string
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  family: string
  hash: Buffer
  id: string
  used_at: Timestamp | null
}

export interface RegisterFile {
  file_id: string
  item_id: string
}

export interface RegisterItem {
  bounds: Json | null
  changed_at: Generated<Timestamp>
  created_at: Generated<Timestamp>
  data: ColumnType<JsonObject, Json, Json>
  final: Generated<boolean>
  id: string
  of_case: string | null
  register: string
  status: Generated<string>
  title: string
  version: Generated<number>
  words: Generated<string>
}

export interface RegisterItemVersion {
  at: Generated<Timestamp>
  changed_by: string | null
  data: ColumnType<JsonObject, Json, Json>
  item_id: string
  status: string
  version: number
}

export interface RegisterReference {
  agrees: Json | null
  ends: Generated<boolean>
  freezes: string[] | null
  item_id: string
  path: string
  rules: Json | null
  selection: Json | null
  target_id: string
}

export interface RegisterSpan {
  field: string
  item_id: string
  register: string
  span: string
  value: string
}

export interface RegisterUnique {
  field: string
  item_id: string
  register: string
  value: string
}

export interface RoleGrant {
  account_id: string
  created_at: Generated<Timestamp>
  end_reason: string | null
  ended_by: string | null
  ends_at: Timestamp | null
  granted_by: string | null
  id: string
  origin: Generated<string>
  post_holder_id: string | null
  reason: string | null
  role: string
  scope_id: string | null
  scope_kind: string | null
  starts_at: Generated<Timestamp>
}

export interface Run {
  account_status: string | null
  agrees: Generated<Json>
  attended: Generated<boolean>
  bank_file_at: Timestamp | null
  case_id: string
  entry_key: string | null
  lines: Generated<number>
  method: 'cheque' | 'transfer'
  month: string
  once_per: string | null
  paid_at: Timestamp | null
  paid_from: string
  payable_status: string | null
  prepared_at: Generated<Timestamp>
  prepared_by: string
  recipient_status: string | null
  returned: Generated<Int8>
  scheme_id: string
  signing: boolean
  state: Generated<'open' | 'paid' | 'void'>
  total: Generated<Int8>
}

export interface RunArrears {
  line_id: string
  released: Generated<boolean>
  returned_id: string
}

export interface RunCheque {
  amount: Int8
  at: Generated<Timestamp>
  bank_account_id: string
  by_account: string
  case_id: string
  line_id: string
  number: string
}

export interface RunLine {
  amount: Int8
  arrears: Generated<Int8>
  asked_to_sign_at: Timestamp | null
  bank_reference: string | null
  case_id: string
  changed_at: Timestamp | null
  code: Generated<string>
  faculty_id: string | null
  id: Generated<string>
  name: string
  owed_at: Timestamp | null
  paid_to: Generated<Json>
  question_desk: string | null
  question_open: Generated<boolean>
  reason: string | null
  recipient_id: string | null
  reversal_key: string | null
  shared_with: string[] | null
  sign_code: Generated<string>
  signature: Generated<string>
  signed_at: Timestamp | null
  signed_by: string | null
  signed_how: string | null
  state: string
  student_id: string
  total: Generated<Int8>
}

export interface RunLineEvent {
  at: Generated<Timestamp>
  by_account: string | null
  case_id: string
  how: string | null
  id: Generated<Int8>
  kind: string
  line_id: string
  text: string | null
}

export interface Scenario {
  changed_at: Generated<Timestamp>
  changed_by: string
  content: Json
  id: string
  process: string
}

export interface ScenarioRun {
  acted_as: string | null
  asked_at: Generated<Timestamp>
  asked_by: string
  content_hash: string | null
  ended_at: Timestamp | null
  id: string
  kind: string
  of_draft: boolean
  process: string
  results: Generated<Json>
  state: Generated<string>
  total: number
  wanted: Json | null
}

export interface ScheduleRun {
  at: Generated<Timestamp>
  external_task_id: string
  outcome: string
  process: string
  reported_at: Timestamp | null
  result: Generated<Json>
  topic: string
}

export interface SealedFields {
  at: Generated<Timestamp>
  item_id: string
  key_id: string
  sealed: Buffer
  version: number
}

export interface SecondOwnerWaiver {
  asked_at: Generated<Timestamp>
  asked_by: string
  decided_at: Timestamp | null
  decided_by: string | null
  decision_note: string | null
  id: string
  process: string
  reason: string
  state: Generated<string>
}

export interface Session {
  account_id: string
  address: string | null
  created_at: Generated<Timestamp>
  end_reason: string | null
  ended_at: Timestamp | null
  expires_at: Timestamp
  /**
   * the refresh family; access tokens name it as sid
   */
  id: string
  /**
   * the refresh token of the identity server, sealed
   */
  identity_token: Buffer | null
  last_seen_at: Generated<Timestamp>
  method: Generated<string>
  user_agent: string | null
}

export interface SpentProof {
  expires_at: Timestamp
  id: string
}

export interface StartDraft {
  account_id: string
  data: ColumnType<JsonObject, Json, Json>
  flow: string
  form_hash: string
  saved_at: Generated<Timestamp>
}

export interface StockReduction {
  batch_id: string
  confirmed: boolean | null
  decided_at: Timestamp | null
  decided_by: string | null
  dropped_because: string | null
  id: string
  kind: string
  proposed_at: Generated<Timestamp>
  proposed_by: string
  reason: string
  units: Int8
}

export interface StudioDraft {
  base_id: string
  bpmn: string
  dmn: Generated<Json>
  lock_holder: string | null
  lock_until: Timestamp | null
  process: string
  revision: Generated<number>
  saved_at: Generated<Timestamp>
  saved_by: string
}

export interface StudioProposal {
  base_id: string
  bpmn: string
  decided_at: Timestamp | null
  decided_by: string | null
  decision_note: string | null
  dmn: Json
  id: string
  note: string
  process: string
  proposed_at: Generated<Timestamp>
  proposed_by: string
  restores_id: string | null
  results: string | null
  state: Generated<string>
  undecided: Generated<string[]>
}

export interface StudioRelease {
  approved_by: string | null
  at: Generated<Timestamp>
  base_id: string
  definition_id: string
  note: string
  process: string
  proposal_id: string | null
  released_by: string
  restores_id: string | null
  results: string | null
  undecided: Generated<string[]>
}

export interface StudioSetting {
  process: string
  second_owner: Generated<boolean>
}

export interface Submission {
  acted_as: string | null
  at: Generated<Timestamp>
  case_id: string
  data: ColumnType<JsonObject, Json, Json>
  effect: Generated<'done' | 'pending' | 'void'>
  form_hash: string
  form_key: string
  id: string
  salt: Buffer | null
  submitted_by: string
  task_id: string | null
  void_reason: string | null
}

export interface Substitution {
  absent_id: string
  amount_limit: Int8 | null
  answered_at: Timestamp | null
  asked_at: Generated<Timestamp>
  asked_by: string
  ended_at: Timestamp | null
  ended_by: string | null
  ends_at: Timestamp
  flows: string[] | null
  id: string
  reason: string | null
  starts_at: Timestamp
  state: Generated<string>
  substitute_id: string
}

export interface Task {
  assignee_id: string | null
  case_id: string
  claimed_at: Timestamp | null
  command_id: string | null
  created_at: Timestamp
  decided_at: Timestamp | null
  decided_by: string | null
  decided_for: string | null
  delegated_by: string | null
  desk: string
  due_at: Timestamp | null
  end_reason: string | null
  ended_at: Timestamp | null
  follow_up_at: Timestamp | null
  form_hash: string | null
  form_key: string | null
  four_eyes: Generated<string[]>
  held_for: string | null
  id: string
  moved: Generated<boolean>
  moving: Generated<boolean>
  name: string
  outcome: string | null
  priority: Generated<number>
  process_definition_id: string
  state: Generated<'accepted' | 'done' | 'held' | 'open' | 'void'>
  version: Generated<number>
}

export interface TaskCandidate {
  principal: string
  stands_in_for: string | null
  task_id: string
}

export interface TaskDraft {
  account_id: string
  case_version: number
  data: ColumnType<JsonObject, Json, Json>
  form_hash: string
  saved_at: Generated<Timestamp>
  task_id: string
  task_version: number
  version: Generated<number>
}

export interface TaskLink {
  account_id: string
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  id: string
  task_id: string
  token_hash: Buffer
  used_at: Timestamp | null
}

export interface TaskPresence {
  account_id: string
  seen_at: Generated<Timestamp>
  task_id: string
  typing: Generated<boolean>
}

export interface TaskQuestion {
  answer: string | null
  answered_at: Timestamp | null
  answered_by: string | null
  asked_at: Generated<Timestamp>
  asked_by: string
  case_id: string
  id: string
  question: string
  task_id: string
  withdrawn_at: Timestamp | null
}

export interface Throttle {
  count: number
  key: string
  until: Timestamp
}

export interface TokenKey {
  created_at: Generated<Timestamp>
  id: string
  public_key: Json
  retired_at: Timestamp | null
  sealed_private_key: Buffer
  signs_from: Timestamp
}

export interface Totp {
  account_id: string
  confirmed_at: Timestamp | null
  created_at: Generated<Timestamp>
  last_step: Int8 | null
  sealed_secret: Buffer
}

export interface VoucherPayment {
  amount: Int8
  bank_account_id: string
  bank_reference: string | null
  batch_id: string
  case_id: string
  cheque_number: string | null
  ended_at: Timestamp | null
  ended_by: string | null
  ended_on: Timestamp | null
  entry_key: string
  id: string
  issued_at: Generated<Timestamp>
  issued_by: string
  method: string
  note: string | null
  number: string
  paid_from: Json
  paid_to: Json
  payee_id: string
  payee_version: number
  reversal_key: string | null
  state: Generated<string>
}

export interface WorkerRun {
  at: Generated<Timestamp>
  case_id: string
  error_code: string | null
  error_message: string | null
  external_task_id: string
  orphaned: Generated<boolean>
  outcome: string
  output: Generated<Json>
  reported_at: Timestamp | null
  topic: string
}

export interface DB {
  account: Account
  activity: Activity
  allocation: Allocation
  artifact: Artifact
  audit_checkpoint: AuditCheckpoint
  audit_entry: AuditEntry
  audit_erasure: AuditErasure
  audit_key: AuditKey
  audit_lookup: AuditLookup
  audit_payload: AuditPayload
  audit_person: AuditPerson
  audit_seal: AuditSeal
  audit_searched: AuditSearched
  begun_form: BegunForm
  bulk_action: BulkAction
  bulk_item: BulkItem
  calendar_feed: CalendarFeed
  case_batch: CaseBatch
  case_batch_entry: CaseBatchEntry
  case_claim: CaseClaim
  case_comment: CaseComment
  case_comment_file: CaseCommentFile
  case_comment_mention: CaseCommentMention
  case_desk: CaseDesk
  case_file: CaseFile
  case_item: CaseItem
  case_link: CaseLink
  case_migration: CaseMigration
  case_migration_entry: CaseMigrationEntry
  case_payment: CasePayment
  case_place: CasePlace
  case_tracking: CaseTracking
  challenge: Challenge
  cheque_number: ChequeNumber
  command: Command
  demo_story: DemoStory
  desk_promise: DeskPromise
  document: Document
  document_end: DocumentEnd
  document_verification: DocumentVerification
  encrypted_field: EncryptedField
  engine_command: EngineCommand
  engine_event: EngineEvent
  erasure: Erasure
  field_key: FieldKey
  file: File
  flow_case: FlowCase
  idempotency: Idempotency
  import_progress: ImportProgress
  inbox: Inbox
  inbox_choice: InboxChoice
  inbox_filter: InboxFilter
  inbox_view: InboxView
  incident: Incident
  item_code: ItemCode
  item_rest: ItemRest
  ledger_account: LedgerAccount
  ledger_entry: LedgerEntry
  ledger_line: LedgerLine
  lost_field_key: LostFieldKey
  mail: Mail
  mailed_question: MailedQuestion
  mailed_question_link: MailedQuestionLink
  name_change: NameChange
  notification: Notification
  number_series: NumberSeries
  one_time_token: OneTimeToken
  own_record: OwnRecord
  own_record_file: OwnRecordFile
  parked_event: ParkedEvent
  passkey: Passkey
  permission_group: PermissionGroup
  post_holder: PostHolder
  process_definition: ProcessDefinition
  record_opening: RecordOpening
  recovery_code: RecoveryCode
  refresh_token: RefreshToken
  register_file: RegisterFile
  register_item: RegisterItem
  register_item_version: RegisterItemVersion
  register_reference: RegisterReference
  register_span: RegisterSpan
  register_unique: RegisterUnique
  role_grant: RoleGrant
  run: Run
  run_arrears: RunArrears
  run_cheque: RunCheque
  run_line: RunLine
  run_line_event: RunLineEvent
  scenario: Scenario
  scenario_run: ScenarioRun
  schedule_run: ScheduleRun
  sealed_fields: SealedFields
  second_owner_waiver: SecondOwnerWaiver
  session: Session
  spent_proof: SpentProof
  start_draft: StartDraft
  stock_reduction: StockReduction
  studio_draft: StudioDraft
  studio_proposal: StudioProposal
  studio_release: StudioRelease
  studio_setting: StudioSetting
  submission: Submission
  substitution: Substitution
  task: Task
  task_candidate: TaskCandidate
  task_draft: TaskDraft
  task_link: TaskLink
  task_presence: TaskPresence
  task_question: TaskQuestion
  throttle: Throttle
  token_key: TokenKey
  totp: Totp
  voucher_payment: VoucherPayment
  worker_run: WorkerRun
}
