import { type Kysely, sql } from 'kysely'

// The sources spell them so. cspell:ignore appication

/** Groups that nobody but administrators held get the roles of their offices, if nobody has set them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update app.permission_group g set roles = n.roles
    from (values
       ('basicInfoView', '{"Exam AR","Exam MA"}'::text[]),
       ('appicationView', '{"Postgraduate AR","Postgraduate MA",FGS,"Faculty AR"}'::text[]),
       ('DocumentManagementView', '{Registrar,"Registrar Office AR","Registrar Office MA","Vice Chancellor",Dean,
         "Committee Member","Authorized Council Member","Faculty Board Member","Senate Member"}'::text[])) as n(name, roles)
    where g.name = n.name and g.roles = '{}' and g.version = 1 and g.changed_by is null`.execute(db)
}
