/** A column with JSON of one shape. Statements may also write it as text. */
const json = (shape: string, by: 'given' | 'default' = 'given') =>
  `ColumnType<${shape}, Json${by === 'default' ? ' | undefined' : ''}, Json>`

const oneOf = (...values: string[]) => values.map((value) => `'${value}'`).join(' | ')
const byDefault = (type: string) => `Generated<${type}>`

/**
 * Types of columns that the database knows more loosely: JSON that always has one shape, and texts that a check
 * constraint limits to the same values as here. Table and column → type; `npm run generate` writes them into the types
 * of the tables.
 */
export const columnTypes: Readonly<Record<string, string>> = {
  'account.language': byDefault(oneOf('en', 'si', 'ta')),
  'allocation.state': oneOf('claimed', 'final', 'hold', 'released'),
  'bulk_action.kind': oneOf('assign', 'claim', 'complete', 'release'),
  'command.lane': byDefault(oneOf('bulk', 'interactive')),
  'command.state': byDefault(oneOf('cancelled', 'done', 'pending', 'refused')),
  'document.data': json('JsonObject'),
  'document_verification.signed_by': json('string[]'),
  'flow_case.data': json('JsonObject', 'default'),
  'flow_case.facts': json('JsonObject', 'default'),
  'flow_case.scope': json('Record<string, string>', 'default'),
  'flow_case.state': byDefault(oneOf('ended', 'failed', 'running', 'starting')),
  'flow_case.statuses': json('Record<string, string>', 'default'),
  'flow_case.subject': json('JsonObject', 'default'),
  'inbox_choice.columns': json('Record<string, string[]>', 'default'),
  'inbox_view.query': json('Record<string, string>'),
  'mail.attachments': json('{ content: string; name: string; type: string }[]', 'default'),
  'mail.state': byDefault(oneOf('failed', 'pending', 'sent')),
  'one_time_token.purpose': oneOf('confirm-email', 'set-password'),
  'register_item.data': json('JsonObject'),
  'register_item_version.data': json('JsonObject'),
  'run.method': oneOf('cheque', 'transfer'),
  'run.state': byDefault(oneOf('open', 'paid', 'void')),
  'start_draft.data': json('JsonObject'),
  'submission.data': json('JsonObject'),
  'submission.effect': byDefault(oneOf('done', 'pending', 'void')),
  'task.state': byDefault(oneOf('accepted', 'done', 'held', 'open', 'void')),
  'task_draft.data': json('JsonObject'),
}
