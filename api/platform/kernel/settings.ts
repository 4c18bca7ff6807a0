import { hostname } from 'node:os'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { FIELD_KEYS_PATTERN } from './field-keys.ts'
import { formats } from './formats.ts'

const Text = Type.String({ minLength: 1 })
const PostgresUrl = Type.String({ pattern: '^postgres(ql)?://' })
const HttpUrl = Type.String({ pattern: '^https?://' })

/** One property per setting: the environment variable and its schema. docs/settings.md describes them. */
const schema = Type.Object({
  DATABASE_URL: PostgresUrl,
  ENGINE_URL: HttpUrl,
  ENGINE_SECRET: Type.String({ minLength: 16 }),
  TOKEN_SECRET: Type.String({ minLength: 32 }),
  FIELD_KEYS: Type.String({ pattern: FIELD_KEYS_PATTERN }),
  SECOND_FACTOR: Type.Enum(['optional', 'staff'], { default: 'optional' }),
  TRUST_PROXY: Type.Optional(Text),
  OIDC_ISSUER: Type.Optional(
    Type.String({ pattern: '^https://|^http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:|/|$)' }),
  ),
  OIDC_CLIENT_ID: Type.Optional(Text),
  OIDC_CLIENT_SECRET: Type.Optional(Text),
  OIDC_NAME: Type.String({ default: 'University account', minLength: 1 }),
  OIDC_ADMIN_CLIENT_ID: Type.Optional(Text),
  OIDC_ADMIN_CLIENT_SECRET: Type.Optional(Text),
  AUDIT_KEY: Text,
  AUDIT_MAIL_TO: Type.Optional(Type.String({ pattern: formats.email.source })),
  HOST: Type.String({ default: 'localhost' }),
  PORT: Type.Integer({ default: 4400, minimum: 0, maximum: 65535 }),
  PUBLIC_URL: Type.Optional(HttpUrl),
  PRAKRIYA_DATA: Type.String({ default: '.data' }),
  DEMO: Type.Boolean({ default: false }),
  SMTP_URL: Type.Optional(Type.String({ pattern: '^smtps?://' })),
  MAIL_FROM: Type.String({ default: 'Prakriya <no-reply@localhost>' }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'], { default: 'info' }),
  NODE_NAME: Type.String({ default: hostname(), minLength: 1 }),
  CLAMD_URL: Type.Optional(Type.String({ pattern: '^tcp://[^/:]+:[0-9]+$|^tcp://\\[[0-9a-f:]+\\]:[0-9]+$' })),
})

/** What `npm start` itself reads; it derives the other settings of the parts that it starts. */
const stackSchema = Type.Object({
  DATABASE_URL: Type.Optional(PostgresUrl),
  ENGINE_URL: Type.Optional(HttpUrl),
  ENGINE_SECRET: Type.Optional(Type.String({ minLength: 16 })),
  PORT: Type.Integer({ default: 4400, minimum: 0, maximum: 65535 }),
  PRAKRIYA_DATA: Type.String({ default: '.data' }),
  DEMO: Type.Boolean({ default: true }),
})

/** Settings of migrations that run on their own. */
const migrationSchema = Type.Object({
  OWNER_DATABASE_URL: PostgresUrl,
  APP_DATABASE_PASSWORD: Text,
  ENGINE_DATABASE_PASSWORD: Text,
})

/** Settings of the command that encrypts fields again. */
const keySchema = Type.Object({
  OWNER_DATABASE_URL: PostgresUrl,
  FIELD_KEYS: Type.String({ pattern: FIELD_KEYS_PATTERN }),
})

/** Settings of the commands that back up and restore. */
const backupSchema = Type.Object({
  DATABASE_URL: Type.Optional(PostgresUrl),
  PRAKRIYA_DATA: Type.String({ default: '.data' }),
  BACKUP_KEY: Type.Optional(Type.String({ minLength: 12 })),
  AUDIT_KEY: Type.Optional(Text),
  FIELD_KEYS: Type.Optional(Type.String({ pattern: FIELD_KEYS_PATTERN })),
})

type Environment = Record<string, string | undefined>

/** The settings of an identity server, as given. */
export interface OidcSettings {
  /** Its issuer, for example `https://login.example.org/realms/campus`. */
  issuer: string
  clientId: string
  /** Without it this is a public client: PKCE only, and tokens cannot be checked between refreshes. */
  clientSecret: string | undefined
  /** Label of the button on the sign-in page. */
  name: string
  /** A client whose service account may manage users; it triggers mails with password links. */
  admin: { clientId: string; clientSecret: string } | undefined
}

/** The settings of a part (API, worker). */
export interface Settings {
  /** PostgreSQL as role `prakriya_app`. */
  databaseUrl: string
  /** Base address of the engine, without `/engine-rest`. */
  engineUrl: string
  /** Required by the engine's gateway filter. */
  engineSecret: string
  /** Encrypts the keys of access tokens and the shared secrets of second factors. */
  tokenSecret: string
  /** Keys of encrypted fields, the newest first. */
  fieldKeys: string
  /** Whether staff need a second factor. */
  secondFactor: 'optional' | 'staff'
  /** Addresses of trusted proxies; false ignores forwarded addresses. */
  trustProxy: string | false
  /** The identity server; without it, people sign in with built-in accounts. */
  oidc: OidcSettings | undefined
  /** Ed25519 private key (PKCS #8, DER, base64) that signs the checkpoints of the audit trail. */
  auditKey: string
  /** Recipient of the nightly checkpoint, in addition to the heads of internal audit. */
  auditMailTo: string | undefined
  host: string
  port: number
  /** The API's address for browsers, used in mails and links. */
  publicUrl: string
  /** Folder of this installation's files and keys. */
  dataDir: string
  /** Creates demo accounts, cases and the demo mailbox. */
  demo: boolean
  /** Without it, mails stay in the local mailbox. */
  smtpUrl: string | undefined
  mailFrom: string
  logLevel: string
  /** A clamd that scans uploaded files; without it they are not scanned. */
  clamdUrl: string | undefined
  /** Name of this process among its replicas. */
  nodeName: string
  /** The lock owner of external tasks; unique per process. */
  workerId: string
}

/** Reads and validates the settings of a part; throws one line that names every invalid one. */
export function readSettings(env: Environment): Settings {
  const given = check(schema, env)
  return {
    databaseUrl: given.DATABASE_URL,
    engineUrl: given.ENGINE_URL.replace(/\/$/, ''),
    engineSecret: given.ENGINE_SECRET,
    tokenSecret: given.TOKEN_SECRET,
    fieldKeys: given.FIELD_KEYS,
    secondFactor: given.SECOND_FACTOR,
    trustProxy: given.TRUST_PROXY ?? false,
    oidc: oidcOf(given),
    auditKey: given.AUDIT_KEY,
    auditMailTo: given.AUDIT_MAIL_TO,
    host: given.HOST,
    port: given.PORT,
    publicUrl: (given.PUBLIC_URL ?? `http://localhost:${given.PORT}`).replace(/\/$/, ''),
    dataDir: given.PRAKRIYA_DATA,
    demo: given.DEMO,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM,
    logLevel: given.LOG_LEVEL,
    clamdUrl: given.CLAMD_URL,
    nodeName: given.NODE_NAME,
    workerId: `${given.NODE_NAME}-${process.pid}`,
  }
}

/** The identity server, if there is one: its settings are required together. */
function oidcOf(given: Static<typeof schema>): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_ADMIN_CLIENT_ID, OIDC_ADMIN_CLIENT_SECRET } =
    given
  if ((OIDC_ISSUER === undefined) !== (OIDC_CLIENT_ID === undefined))
    throw new Error('Settings: OIDC_ISSUER and OIDC_CLIENT_ID go together; set both or neither.')
  if ((OIDC_ADMIN_CLIENT_ID === undefined) !== (OIDC_ADMIN_CLIENT_SECRET === undefined))
    throw new Error('Settings: OIDC_ADMIN_CLIENT_ID and OIDC_ADMIN_CLIENT_SECRET go together; set both or neither.')
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined) return undefined
  if (given.SECOND_FACTOR !== 'optional')
    throw new Error(
      'Settings: SECOND_FACTOR is the matter of the identity server that OIDC_ISSUER names; leave it out.',
    )
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME,
    admin:
      OIDC_ADMIN_CLIENT_ID && OIDC_ADMIN_CLIENT_SECRET
        ? { clientId: OIDC_ADMIN_CLIENT_ID, clientSecret: OIDC_ADMIN_CLIENT_SECRET }
        : undefined,
  }
}

/** The settings of the supervisor. If `ownerDatabaseUrl` is set, no embedded PostgreSQL is started. */
export interface StackSettings {
  ownerDatabaseUrl: string | undefined
  /** If it is set together with its secret, no engine is started here. */
  engine: { url: string; secret: string } | undefined
  port: number
  dataDir: string
  demo: boolean
}

/** Reads and validates the settings of `npm start`. */
export function readStackSettings(env: Environment): StackSettings {
  const given = check(stackSchema, env)
  if ((given.ENGINE_URL === undefined) !== (given.ENGINE_SECRET === undefined)) {
    throw new Error('Settings: ENGINE_URL and ENGINE_SECRET go together; set both or neither.')
  }
  return {
    ownerDatabaseUrl: given.DATABASE_URL,
    engine:
      given.ENGINE_URL && given.ENGINE_SECRET ? { url: given.ENGINE_URL, secret: given.ENGINE_SECRET } : undefined,
    port: given.PORT,
    dataDir: given.PRAKRIYA_DATA,
    demo: given.DEMO,
  }
}

/**
 * Reads and validates the settings of migrations: the owner's URL, and the passwords for the two roles with fewer
 * rights.
 */
export function readMigrationSettings(env: Environment) {
  const given = check(migrationSchema, env)
  return {
    ownerDatabaseUrl: given.OWNER_DATABASE_URL,
    appPassword: given.APP_DATABASE_PASSWORD,
    enginePassword: given.ENGINE_DATABASE_PASSWORD,
  }
}

/** Reads and validates the settings of the command that encrypts fields again. */
export function readKeySettings(env: Environment) {
  const given = check(keySchema, env)
  return { ownerDatabaseUrl: given.OWNER_DATABASE_URL, fieldKeys: given.FIELD_KEYS }
}

/** Reads and validates the settings of the commands that back up and restore. */
export function readBackupSettings(env: Environment) {
  const given = check(backupSchema, env)
  return {
    ownerDatabaseUrl: given.DATABASE_URL,
    dataDir: given.PRAKRIYA_DATA,
    keys: { key: given.BACKUP_KEY, auditKey: given.AUDIT_KEY, fieldKeys: given.FIELD_KEYS },
  }
}

function check<
  T extends typeof schema | typeof stackSchema | typeof migrationSchema | typeof keySchema | typeof backupSchema,
>(wanted: T, env: Environment): Static<T> {
  const named = Object.keys(wanted.properties).filter((name) => env[name] !== undefined && env[name] !== '')
  const values = Value.Convert(
    wanted,
    Value.Default(wanted, Object.fromEntries(named.map((name) => [name, env[name]]))),
  )
  if (Value.Check(wanted, values)) return values
  const wrong = Value.Errors(wanted, values).map((error) =>
    error.keyword === 'required'
      ? `${error.params.requiredProperties.join(', ')} missing`
      : `${error.instancePath.slice(1)} ${error.message}`,
  )
  throw new Error(`Settings: ${wrong.join('; ')}. See .env.example.`)
}
