import { hostname } from 'node:os'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { formats } from './formats.ts'

const Text = Type.String({ minLength: 1 })
const PostgresUrl = Type.String({ pattern: '^postgres(ql)?://' })
const HttpUrl = Type.String({ pattern: '^https?://' })

/** One entry per setting: the environment variable, its schema, and what it is for (the README's table is this). */
const schema = Type.Object({
  DATABASE_URL: PostgresUrl,
  ENGINE_URL: HttpUrl,
  ENGINE_SECRET: Type.String({ minLength: 16 }),
  TOKEN_SECRET: Type.String({ minLength: 32 }),
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
  AUDIT_MAIL_TO: Type.Optional(Type.String({ pattern: formats['email']!.source })),
  HOST: Type.String({ default: 'localhost' }),
  PORT: Type.Integer({ default: 4400, minimum: 0, maximum: 65535 }),
  PUBLIC_URL: Type.Optional(HttpUrl),
  PRAKRIYA_DATA: Type.String({ default: '.data' }),
  DEMO: Type.Boolean({ default: false }),
  SMTP_URL: Type.Optional(Type.String({ pattern: '^smtps?://' })),
  MAIL_FROM: Type.String({ default: 'Prakriya <no-reply@localhost>' }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'], { default: 'info' }),
  NODE_NAME: Type.String({ default: hostname(), minLength: 1 }),
})

/** What `npm start` itself reads; the parts that it starts get the rest from it. */
const stackSchema = Type.Object({
  DATABASE_URL: Type.Optional(PostgresUrl),
  ENGINE_URL: Type.Optional(HttpUrl),
  ENGINE_SECRET: Type.Optional(Type.String({ minLength: 16 })),
  PORT: Type.Integer({ default: 4400, minimum: 0, maximum: 65535 }),
  PRAKRIYA_DATA: Type.String({ default: '.data' }),
  DEMO: Type.Boolean({ default: true }),
})

/** What migrations read when they are run by themselves. */
const migrationSchema = Type.Object({
  OWNER_DATABASE_URL: PostgresUrl,
  APP_DATABASE_PASSWORD: Text,
  ENGINE_DATABASE_PASSWORD: Text,
})

type Environment = Record<string, string | undefined>

/** The settings of an identity server, as they are given. */
export interface OidcSettings {
  /** Its issuer, such as `https://login.example.org/realms/campus`. */
  issuer: string
  clientId: string
  /** Without it we are a public client: PKCE alone, and nothing can be asked about tokens between refreshes. */
  clientSecret: string | undefined
  /** What the button on the sign-in page says. */
  name: string
  /** A client with a service account that may manage users: it has mails with password links sent. */
  admin: { clientId: string; clientSecret: string } | undefined
}

/** The settings of a part (API, worker), in our words. */
export interface Settings {
  /** PostgreSQL as role `prakriya_app`. */
  databaseUrl: string
  /** Base address of the engine, without `/engine-rest`. */
  engineUrl: string
  /** What the engine's gateway filter wants to see. */
  engineSecret: string
  /** Seals the keys of access tokens and what second factors share with us. */
  tokenSecret: string
  /** Whether staff have to have a second factor. */
  secondFactor: 'optional' | 'staff'
  /** Addresses of the proxies before us; false takes nobody's word for where a request came from. */
  trustProxy: string | false
  /** The identity server where people sign in; without it they sign in here. */
  oidc: OidcSettings | undefined
  /** Ed25519 private key (PKCS #8, DER, base64) that signs the checkpoints of the audit. */
  auditKey: string
  /** Where the newest signed checkpoint of the audit goes each night, beside those who head the audit. */
  auditMailTo: string | undefined
  host: string
  port: number
  /** Where browsers reach the API; stands in mails and links. */
  publicUrl: string
  /** Files and keys of this installation live under it. */
  dataDir: string
  /** Demo accounts, cases and the demo mailbox exist. */
  demo: boolean
  /** Without it, mails stay in the local mailbox. */
  smtpUrl: string | undefined
  mailFrom: string
  logLevel: string
  /** Names this process among its replicas. */
  nodeName: string
  /** The lock owner of external tasks; one per process. */
  workerId: string
}

/** Reads and checks the settings of a part; throws one line that names every wrong one. */
export function readSettings(env: Environment): Settings {
  const given = check(schema, env)
  return {
    databaseUrl: given.DATABASE_URL,
    engineUrl: given.ENGINE_URL.replace(/\/$/, ''),
    engineSecret: given.ENGINE_SECRET,
    tokenSecret: given.TOKEN_SECRET,
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
    nodeName: given.NODE_NAME,
    workerId: `${given.NODE_NAME}-${process.pid}`,
  }
}

/** The identity server, if one is named: its settings go together. */
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

/** The settings of the supervisor. `ownerDatabaseUrl` set means: no embedded PostgreSQL. */
export interface StackSettings {
  ownerDatabaseUrl: string | undefined
  /** Set together with its secret it means: no engine is started here. */
  engine: { url: string; secret: string } | undefined
  port: number
  dataDir: string
  demo: boolean
}

/** Reads and checks what `npm start` needs to know. */
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

/** Reads and checks what migrations need: the owner's URL, and the passwords that the two lesser roles shall have. */
export function readMigrationSettings(env: Environment) {
  const given = check(migrationSchema, env)
  return {
    ownerDatabaseUrl: given.OWNER_DATABASE_URL,
    appPassword: given.APP_DATABASE_PASSWORD,
    enginePassword: given.ENGINE_DATABASE_PASSWORD,
  }
}

function check<T extends typeof schema | typeof stackSchema | typeof migrationSchema>(
  wanted: T,
  env: Environment,
): Static<T> {
  const named = Object.keys(wanted.properties).filter((name) => env[name] !== undefined && env[name] !== '')
  const values = Value.Convert(
    wanted,
    Value.Default(wanted, Object.fromEntries(named.map((name) => [name, env[name]]))),
  )
  if (Value.Check(wanted, values)) return values
  const wrong = Value.Errors(wanted, values).map((error) =>
    error.keyword === 'required'
      ? `${(error.params as { requiredProperties: string[] }).requiredProperties.join(', ')} missing`
      : `${error.instancePath.slice(1)} ${error.message}`,
  )
  throw new Error(`Settings: ${wrong.join('; ')}. See .env.example.`)
}
