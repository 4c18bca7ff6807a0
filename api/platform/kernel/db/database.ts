import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import type { DB } from './database.generated.ts'

/** One pool of connections to PostgreSQL and the typed query builder over it. */
export interface Database {
  db: Kysely<DB>
  pool: pg.Pool
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Shown in pg_stat_activity: which part of the product holds the connection. */
  name: string
  /** Upper limit of connections. */
  max?: number
  /** Told of connections that break while idle, which happens whenever PostgreSQL restarts. */
  onError?(error: Error): void
}

/**
 * Connects as the role in the URL. Tables are named without their schema, because every connection looks in `app` first.
 * Connecting is lazy: the first query fails if the server is away, not this call.
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

/** Statements seen so often are worth a plan that is kept; each connection keeps as many plans at most. */
const WORTH_A_PLAN = 10
const PLANS = 400
/**
 * What is planned anew each time: lists, whose best plan hangs on who asks for what, and what takes whole rows, since a
 * kept plan would refuse to give them once a migration has added a column.
 */
const PLANNED_ANEW = /\blimit\b|\*/

/**
 * Lets PostgreSQL keep the plans of the statements that are asked again and again, on each connection: a third of what it
 * spends on them is reading and planning.
 */
function planningOnce(pool: pg.Pool): PostgresPool {
  const seen = new Map<string, number>()
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= PLANS || PLANNED_ANEW.test(text)) return known
    const times = (seen.get(text) ?? 0) + 1
    if (times < WORTH_A_PLAN) {
      // Lists of values make texts without end; those that come rarely are forgotten.
      if (seen.size > PLANS * 10) seen.clear()
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
      const { processID } = client as pg.PoolClient & { processID: number }
      const query = (text: string, values: readonly unknown[]) => {
        const name = values.length > 0 ? nameOf(text) : undefined
        const asked = client.query({ text, values: [...values], ...(name !== undefined && { name }) })
        return asked as Promise<PostgresQueryResult<unknown>>
      }
      const kept = { processID, query, release: (destroy?: boolean) => client.release(destroy) }
      // Without cursors, which nothing here asks for.
      return kept as PostgresPoolClient
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/**
 * A pool that outlives its connections: without listeners, one that breaks would end the whole process.
 * The pool replaces it by itself, and whoever was using it gets the error from the query.
 */
export function patientPool(config: pg.PoolConfig, onError: (error: Error) => void = () => undefined): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Whether an error says nothing about what was asked for: a connection that broke, a lock, a deadlock, a server that shuts
 * down. The same may succeed when it is tried again.
 */
export function isTransient(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string }
  return (
    /^(08|40|53|55|57)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)
  )
}
