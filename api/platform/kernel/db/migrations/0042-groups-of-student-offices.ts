import { type Kysely, sql } from 'kysely'

// The sources spell them so. cspell:ignore Undergrd Studnet Manuaklly

/** Groups that nobody but administrators held get the roles of student affairs and the Registrar's office, if nobody has set them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update app.permission_group g set roles = n.roles
    from (values
       ('SetUpUndergrdRegDocuments', '{"SSW AR","SSW MA"}'::text[]),
       ('SetUpNewAcademicYear', '{"Registrar Office AR"}'::text[]),
       ('AllStudents', '{"Registrar","SSW AR"}'::text[]),
       ('AddNewStudnetManuaklly', '{"SSW AR"}'::text[])) as n(name, roles)
    where g.name = n.name and g.roles = '{}' and g.version = 1 and g.changed_by is null`.execute(db)
}
