import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, namedBy } from '../../model/definitions/register.ts'

/** Rows read at a time, so that a download needs little memory. */
const BATCH = 500

/** Removes secrets from links in mails, because they may give access. */
const SECRETS = /([?&#](?:token|code)=|\/decide\/|\/track#[^/\s]+\/)[\w.~-]+/g

/** The query of each section; every row has a key to continue from. */
function sectionsOf(id: string, ownFields: readonly string[]): Record<string, RawBuilder<unknown>> {
  const me = `user:${id}`
  return {
    account: sql`select id, username, email, name, post, active, language, photo_id, mail_tasks, mail_cases,
      mail_new_tasks, mail_digest, email_confirmed_at, password_changed_at, identity_subject, created_at, changed_at,
      id::text as key
      from account where id = ${id}`,
    record: sql`select i.id, i.register, i.status, i.title, i.data, i.created_at, i.changed_at, i.id::text as key
      from register_item i join account a on a.record_id = i.id where a.id = ${id}`,
    entries: sql`select i.id, i.register, i.status, i.title, i.data, i.created_at, i.changed_at, i.id::text as key
      from register_item i join account a on a.id = ${id} join register_reference r on r.item_id = i.id
        and r.target_id = a.record_id where i.register || ' ' || r.path = any(${ownFields})`,
    ownRecords: sql`select record, step, data, draft, saved_at, record || ' ' || step as key
      from own_record where account_id = ${id}`,
    grants: sql`select id, role, scope_kind, scope_id, starts_at, ends_at, origin, reason, created_at, end_reason,
      id::text as key from role_grant where account_id = ${id}`,
    posts: sql`select h.id, i.title as post, h.acting, h.starts_at, h.ends_at, h.reason, h.end_reason, h.id::text as key
      from post_holder h join register_item i on i.id = h.post_id where h.account_id = ${id}`,
    substitutions: sql`select id, case when absent_id = ${id} then 'absent' else 'substitute' end as "as", starts_at, ends_at,
      flows, amount_limit, reason, state, asked_at, answered_at, ended_at, id::text as key
      from substitution where ${id} in (absent_id, substitute_id)`,
    nameChanges: sql`select id, name, asked_at, state, decided_at, reason, id::text as key
      from name_change where account_id = ${id}`,
    sessions: sql`select id, method, user_agent, host(address) as address, created_at, last_seen_at, expires_at, ended_at,
      end_reason, id::text as key from session where account_id = ${id}`,
    authenticators: sql`select created_at, confirmed_at, account_id::text as key from totp where account_id = ${id}`,
    passkeys: sql`select name, created_at, last_used_at, id as key from passkey where account_id = ${id}`,
    calendarFeeds: sql`select id, item_id, created_at, revoked_at, id::text as key
      from calendar_feed where account_id = ${id}`,
    cases: sql`select id, reference, flow, state, status, subject, withdrawn_at, end_reason, created_at, ended_at,
      id::text as key from flow_case where requester_id = ${id}`,
    submissions: sql`select s.id, c.reference as "case", s.data, s.acted_as, s.effect, s.at, s.id::text as key
      from submission s join flow_case c on c.id = s.case_id where s.submitted_by = ${id}`,
    tasks: sql`select t.id, c.reference as "case", t.desk, t.state, t.outcome, t.claimed_at, t.decided_at, t.id as key
      from task t join flow_case c on c.id = t.case_id where t.assignee_id = ${id} or t.decided_by = ${id}`,
    drafts: sql`select c.reference as "case", t.desk, d.data, d.saved_at, d.task_id as key from task_draft d
      join task t on t.id = d.task_id join flow_case c on c.id = t.case_id where d.account_id = ${id}`,
    startDrafts: sql`select flow, data, saved_at, flow as key from start_draft where account_id = ${id}`,
    comments: sql`select k.id, c.reference as "case", k.kind, k.body, k.at, k.deleted_at, k.id::text as key
      from case_comment k join flow_case c on c.id = k.case_id where k.author_id = ${id}`,
    questions: sql`select q.id, c.reference as "case", q.question, q.asked_at, q.answer, q.answered_at, q.id::text as key
      from task_question q join flow_case c on c.id = q.case_id where ${id} in (q.asked_by, q.answered_by)`,
    files: sql`select id, name, content_type, size, created_at, id::text as key from file where owner_id = ${id}`,
    mails: sql`select id, recipient, template, subject, body, state, created_at, sent_at, id::text as key
      from mail where recipient_id = ${id}`,
    notifications: sql`select id, heading, title, subtitle, path, at, seen_at, id::text as key
      from notification where account_id = ${id}`,
    acts: sql`select at, action, acted_as, object, case_id, lpad(id::text, 20, '0') as key
      from audit_entry where actor in (${id}, ${me})`,
  }
}

/**
 * Everything stored about a person, as one JSON document in chunks. What others wrote in the person's cases is in those
 * cases. It contains no passwords, hashes or keys, and nothing of other people.
 */
export async function* ownData(
  db: Kysely<DB>,
  registers: ReadonlyMap<string, RegisterDefinition>,
  id: string,
): AsyncGenerator<string> {
  const ownFields = [...registers].flatMap(([register, { own }]) =>
    own ? namedBy(own).map((by) => `${register} ${by}`) : [],
  )
  yield `{\n"madeAt": ${JSON.stringify(new Date())}`
  for (const [name, rows] of Object.entries(sectionsOf(id, ownFields))) {
    yield `,\n${JSON.stringify(name)}: [`
    let after = ''
    let first = true
    for (;;) {
      const batch = await sql<Record<string, unknown> & { key: string }>`
        select * from (${rows}) rows where key collate "C" > ${after} order by key collate "C" limit ${BATCH}`.execute(
        db,
      )
      for (const { key, ...row } of batch.rows) {
        yield `${first ? '' : ','}\n${JSON.stringify(row).replaceAll(SECRETS, '$1…')}`
        first = false
        after = key
      }
      if (batch.rows.length < BATCH) break
    }
    yield ']'
  }
  yield '\n}\n'
}
