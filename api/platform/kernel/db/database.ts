import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely'
import pg from 'pg'
import type { DB } from './database.generated.ts'
import { textOf } from '../thrown.ts'

/** One connection pool for PostgreSQL, with the typed query builder. */
export interface Database {
  db: Kysely<DB>
  pool: pg.Pool
  close(): Promise<void>
}

export interface ConnectOptions {
  /** The part that holds the connection, shown in pg_stat_activity. */
  name: string
  /** Maximum number of connections. */
  max?: number
  /** Called when an idle connection breaks, for example because PostgreSQL restarts. */
  onError?(error: Error): void
}

/**
 * Connects as the role in the URL. Tables need no schema name, because `app` is first in the search path. Connecting is
 * lazy: if the server is down, the first query fails, not this call.
 */
export function connect(url: string, { name, max = 10, onError }: ConnectOptions): Database {
  const pool = patientPool(
    {
      connectionString: url,
      max,
      application_name: name,
      options: '-c search_path=app,public',
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    },
    onError,
  )
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: planningOnce(pool) }) })
  return { db, pool, close: () => db.destroy() }
}

/** Uses of a statement before it is prepared, and the maximum prepared statements per connection. */
const USES_BEFORE_PLAN = 10
const MAX_PLANS = 400
/**
 * Statements that are planned every time. The best plan of a list depends on its parameters. A prepared `select *`
 * fails after a migration adds a column.
 */
const ALWAYS_PLANNED = /\blimit\b|\*/

/**
 * In a statement with `limit` or `*` whose best plan is always the same, and which returns columns by name: it is
 * prepared like others.
 */
export const ONE_PLAN = sql`/* one plan */`

const alwaysPlanned = (text: string) => ALWAYS_PLANNED.test(text) && !text.includes('/* one plan */')

/** Prepares frequent statements on each connection: parsing and planning take a third of PostgreSQL's time for them. */
function planningOnce(pool: pg.Pool): PostgresPool {
  const seen = new Map<string, number>()
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_PLANS || alwaysPlanned(text)) return known
    const times = (seen.get(text) ?? 0) + 1
    if (times < USES_BEFORE_PLAN) {
      // Lists of values produce ever new statements; forget the rare ones.
      if (seen.size > MAX_PLANS * 10) seen.clear()
      seen.set(text, times)
      return undefined
    }
    seen.delete(text)
    const name = `kept-${names.size}`
    names.set(text, name)
    return name
  }

  return {
    async connect() {
      const client = await pool.connect()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pg sets it when it connects; its types lack it
      const { processID } = client as pg.PoolClient & { processID: number }
      const query = (text: string, values: readonly unknown[]) => {
        const name = values.length > 0 ? nameOf(text) : undefined
        const asked = client.query({ text, values: [...values], ...(name !== undefined && { name }) })
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pg answers so; its type has any text as command
        return asked as Promise<PostgresQueryResult<unknown>>
      }
      const kept = { processID, query, release: (destroy?: boolean) => client.release(destroy) }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it lacks only cursors, which nobody uses
      return kept as PostgresPoolClient
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/**
 * A pool that survives broken connections. Without listeners, a broken one would end the process. The pool replaces it,
 * and the caller gets the error from its query.
 */
export function patientPool(config: pg.PoolConfig, onError: (error: Error) => void = () => undefined): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Whether an error is unrelated to the request: a broken connection, a lock, a deadlock, a shutdown. A retry may
 * succeed.
 */
export function isTransient(error: unknown): boolean {
  const code = textOf(error, 'code') ?? ''
  return (
    /^(08|40|53|55|57)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(textOf(error, 'message') ?? '')
  )
}
