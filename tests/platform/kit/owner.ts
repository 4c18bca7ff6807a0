import pg from 'pg'
import { stack } from './stack.ts'

/** Queries the running product's database as its owner; returns the rows. */
export async function asOwner<R extends pg.QueryResultRow>(
  sql: string,
  values: unknown[] = [],
  dataDir?: string,
): Promise<R[]> {
  const client = new pg.Client(stack(dataDir).ownerDatabaseUrl)
  await client.connect()
  try {
    return (await client.query<R>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Gives a register entry a status that people do not set by hand. */
export async function giveStatus(id: string, status: string): Promise<void> {
  await asOwner(
    `with changed as (update app.register_item set status = $2, version = version + 1 where id = $1
       returning id, version, status, data)
     insert into app.register_item_version (item_id, version, status, data) select id, version, status, data from changed`,
    [id, status],
  )
}

/** Holds the row locks of a `select … for update`, or of a change, until the act has ended; a change holds from then on. */
export async function whileLocked<T>(statement: string, values: unknown[], act: () => Promise<T>): Promise<T> {
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(statement, values)
    const done = await act()
    await client.query('commit')
    return done
  } finally {
    await client.end()
  }
}
