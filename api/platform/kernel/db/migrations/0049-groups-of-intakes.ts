import { type Kysely, sql } from 'kysely'

// The sources spell them so. cspell:ignore maview

/** Student affairs see intakes, and the Head of IT the page of one, if nobody has set these groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update app.permission_group g set roles = n.roles
    from (values
       ('maviewIntake', '{MA}'::text[], '{MA,"Head of IT","SSW AR","SSW MA"}'::text[]),
       ('ViewIntake', '{MA,"Head of IT"}', '{MA,"Head of IT","SSW AR","SSW MA"}')) as n(name, earlier, roles)
    where g.name = n.name and g.roles = n.earlier and g.version = 1 and g.changed_by is null`.execute(db)
}
