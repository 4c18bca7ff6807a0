import type { Names } from './diagram.ts'

const draft = 'https://json-schema.org/draft/2020-12/schema'
const asked = { 'x-messages': { required: 'platform.field-required' } }

/** The start form: a unit and a purpose. */
export function requestOf({ area, name }: Names): object {
  return {
    $schema: draft,
    title: `${area}.${name}`,
    type: 'object',
    additionalProperties: false,
    required: ['department', 'purpose'],
    'x-order': ['department', 'purpose'],
    properties: {
      department: {
        type: 'string',
        format: 'uuid',
        title: 'platform.register.department.item',
        'x-register': 'platform/department',
        'x-filter': true,
        ...asked,
      },
      purpose: { type: 'string', title: `${area}.field.purpose`, minLength: 1, maxLength: 200, ...asked },
    },
  }
}

/** The form of a desk; every outcome except an approval needs a reason. */
export function decisionOf({ area, name }: Names, outcomes: readonly string[]): object {
  return {
    $schema: draft,
    title: `${area}.${name}-decision`,
    type: 'object',
    additionalProperties: false,
    required: ['outcome'],
    'x-order': ['reason'],
    properties: {
      outcome: {
        type: 'string',
        title: `${area}.field.outcome`,
        oneOf: outcomes.map((outcome) => ({ const: outcome, title: `${area}.outcome.${outcome}` })),
        ...asked,
      },
      reason: {
        type: 'string',
        title: `${area}.field.reason`,
        minLength: 1,
        maxLength: 2000,
        'x-shown': 'when-required',
        'x-widget': 'textarea',
        ...asked,
      },
    },
    allOf: outcomes
      .filter((outcome) => outcome !== 'approve')
      .map((outcome) => ({
        if: { properties: { outcome: { const: outcome } }, required: ['outcome'] },
        // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
        then: { required: ['reason'] },
      })),
  }
}
