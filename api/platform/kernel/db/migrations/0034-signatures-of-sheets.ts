import { type Kysely, sql } from 'kysely'

/** A printed sheet may be older than the run: it signs no line that is held back meanwhile, and none that is struck. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function app.run_line_signed_rightly() returns trigger language plpgsql as $$
    begin
      if new.state <> 'included' and not (new.state = 'held' and new.signed_how <> 'sheet') then
        raise exception 'a line that is % is not signed by %', new.state, new.signed_how
          using errcode = 'check_violation', constraint = 'run_line_signed_rightly';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger signed_rightly before update on app.run_line for each row
      when (old.signature = 'pending' and new.signature = 'signed') execute function app.run_line_signed_rightly()`.execute(
    db,
  )
}
