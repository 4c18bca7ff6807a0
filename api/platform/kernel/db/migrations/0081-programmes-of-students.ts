import { type Kysely, sql } from 'kysely'

/**
 * Students name a degree program of the register instead of its name in words: the one of their batch, or the only one
 * of their faculty with such a name, or code, alone or after that of its degree. A degree alone says too little, and a
 * batch of another faculty contradicts the words. What names no program stays in a field of its own, which a report
 * lists. Set-ups of registrations are of a batch, and so of its program. The version of an entry stays, so that cases
 * that run about it are still about what they have seen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Letter case, width and spaces do not count. */
const plain = (words: string) => `lower(trim(regexp_replace(normalize(${words}, NFKC), '\\s+', ' ', 'g')))`

const statements = [
  `with program as (
     select p.id::text, p.data ->> 'faculty' as faculty, array[
       ${plain(`p.data ->> 'name'`)}, ${plain(`p.data ->> 'code'`)},
       ${plain(`concat(d.data ->> 'name', ' in ', p.data ->> 'name')`)},
       ${plain(`concat(d.data ->> 'code', ' in ', p.data ->> 'name')`)},
       ${plain(`concat(d.data ->> 'name', ' ', p.data ->> 'name')`)},
       ${plain(`concat(d.data ->> 'code', ' ', p.data ->> 'name')`)}] as names
     from app.register_item p left join app.register_item d on d.id::text = p.data ->> 'degree'
     where p.register = 'setup/degree-program'
   ), words as (
     select distinct s.data ->> 'faculty' as faculty, s.data ->> 'programme' as words
     from app.register_item s where s.register = 'platform/student' and s.data ? 'programme'
   ), named as (
     select w.faculty, w.words, min(p.id) as program
     from words w join program p on p.faculty = w.faculty and ${plain('w.words')} = any(p.names)
     group by w.faculty, w.words having count(*) = 1
   ), batches as (
     select r.item_id, b.data ->> 'programme' as program, p.data ->> 'faculty' as faculty
     from app.register_reference r join app.register_item b on b.id = r.target_id
     join app.register_item p on p.id = (b.data ->> 'programme')::uuid
     where r.path = '/batch' and b.register = 'batches/batch'
   ), wanted as (
     select s.id, case when b.item_id is null then n.program when b.faculty = s.data ->> 'faculty' then b.program end as program
     from app.register_item s
     left join batches b on b.item_id = s.id
     left join named n on n.faculty = s.data ->> 'faculty' and n.words = s.data ->> 'programme'
     where s.register = 'platform/student' and s.data ? 'programme'
   )
   update app.register_item s set data = (s.data - 'programme') || case
     when w.program is not null then jsonb_build_object('programme', w.program)
     else jsonb_build_object('programme_before', s.data ->> 'programme') end
   from wanted w where w.id = s.id`,
  `insert into app.register_reference (item_id, path, target_id)
   select id, '/programme', (data ->> 'programme')::uuid from app.register_item
   where register = 'platform/student' and data ? 'programme'
   on conflict do nothing`,
  `update app.register_reference r set agrees = '{"programme": {"is": "programme"}}'
   from app.register_item s, app.register_item b
   where s.id = r.item_id and s.register = 'platform/student' and s.status in ('active', 'suspended', 'unregistered')
     and r.path = '/batch'
     and b.id = r.target_id and b.data ->> 'programme' = s.data ->> 'programme'`,
  `update app.register_item set data = data - 'programme'
   where register in ('students/registration-setup', 'students/subject-registration-setup') and data ? 'programme'`,
]
