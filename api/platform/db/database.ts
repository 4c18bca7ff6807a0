import { Kysely, PostgresDialect } from 'kysely'
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
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
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
export function isPassing(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string }
  return (
    /^(08|40|53|55|57)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)
  )
}
