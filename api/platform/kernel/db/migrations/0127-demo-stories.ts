import { type Kysely, sql } from 'kysely'

/** How far the demo cases were played: a start that is interrupted goes on at the next one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.demo_story (
     area text not null,
     nr integer not null check (nr >= 0),
     state text not null default 'waiting' check (state in ('waiting', 'begun', 'told')),
     case_id uuid references app.flow_case,
     primary key (area, nr)
   )`,
  `grant select, insert, update on app.demo_story to prakriya_app`,
]
