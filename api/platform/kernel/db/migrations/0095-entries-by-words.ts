import { type Kysely, sql } from 'kysely'

/**
 * All words of an entry in one column, which finds those with a part of a word without reading each entry: its title
 * and its texts, without ids of others. Which of them a search may match is said by the query.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create extension if not exists pg_trgm`,
  `create function app.words_of(title text, data jsonb) returns text
     language sql immutable parallel safe
     return title || coalesce((
       select pg_catalog.string_agg(e'\\n' || (word #>> '{}'), '')
       from pg_catalog.jsonb_path_query(data, 'lax $.** ? (@.type() == "string")') word
       where (word #>> '{}') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'), '')`,
  `alter table app.register_item add column words text not null generated always as (app.words_of(title, data)) stored`,
  `create index register_item_by_words on app.register_item using gin (words gin_trgm_ops)`,
]
