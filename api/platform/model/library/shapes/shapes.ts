import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** A problem in a file of an area. */
export interface ShapeProblem {
  /** Path of the file as given. */
  file: string
  /** JSON pointer to the place; empty for the whole document. */
  pointer: string
  reason: string
}

/** The shape of a file, by the end of its name. */
const shapes: readonly (readonly [ending: RegExp, shape: string])[] = [
  [/\.flow\.json$/, 'flow'],
  [/\.form\.json$/, 'form'],
  [/\.register\.json$/, 'register'],
  [/\.record\.json$/, 'record'],
  [/\.document\.json$/, 'document'],
  [/\.report\.json$/, 'report'],
  [/(^|\/)screens\.json$/, 'screens'],
  [/(^|\/)placeholders\.json$/, 'placeholders'],
  [/(^|\/)texts\.(staff\.)?[a-z]{2}\.json$/, 'texts'],
  [/(^|\/)errors\.json$/, 'errors'],
  [/(^|\/)statuses\.json$/, 'statuses'],
  [/\.seed\.json$/, 'items'],
  [/(^|\/)people\.demo\.json$/, 'people'],
  [/(^|\/)stories\.demo\.json$/, 'stories'],
  [/\.demo\.json$/, 'items'],
]

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  formats: {
    regex: isPattern,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  },
})
for (const name of ['common', 'form']) ajv.addSchema(read(name))
const validators = new Map<string, ValidateFunction>()

/**
 * Problems in the shape of a file; empty if there are none, or if such files have no shape. The shapes are the JSON
 * Schemas beside this module.
 */
export function shapeProblems(file: string, document: unknown): ShapeProblem[] {
  const shape = shapes.find(([ending]) => ending.test(file))?.[1]
  if (shape === undefined) return []
  const validate = validators.get(shape) ?? ajv.getSchema(`${shape}.schema.json`) ?? ajv.compile(read(shape))
  validators.set(shape, validate)
  if (validate(document)) return []
  const problems = (validate.errors ?? [])
    // The rule that needed an alternative says more than what the alternative lacks.
    .filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')
    .map(({ instancePath, keyword, params, message, propertyName }) => {
      const name = keyword === 'additionalProperties' ? String(params['additionalProperty']) : propertyName
      const pointer =
        name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const reason =
        keyword === 'additionalProperties'
          ? 'there is no such member'
          : keyword === 'enum'
            ? `must be one of ${[params['allowedValues']].flat().join(', ')}`
            : keyword === 'const'
              ? `must be ${JSON.stringify(params['allowedValue'])}`
              : propertyName === undefined
                ? (message ?? keyword)
                : `the name ${message ?? keyword}`
      return { file, pointer, reason }
    })
  const seen = new Set<string>()
  return problems.filter(({ pointer, reason }) => {
    const line = `${pointer} ${reason}`
    return !seen.has(line) && seen.add(line)
  })
}

function read(name: string): object {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${basename(name)}.schema.json`), 'utf8'))
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
