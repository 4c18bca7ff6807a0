import { resolve } from 'node:path'

/** The suffix of a test states its cost: `.unit` needs nothing, all others share one running product. */
const project = (displayName, suffixes, rest = {}) => ({
  displayName,
  rootDir: resolve(import.meta.dirname, '..'),
  roots: ['<rootDir>/tests'],
  testMatch: [`**/*.(${suffixes.join('|')}).test.ts`],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: false },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testEnvironment: 'node',
  ...rest,
})

export default {
  projects: [
    project('unit', ['unit']),
    project('product', ['db', 'http', 'process', 'ui'], {
      globalSetup: '<rootDir>/tests/platform/kit/global-setup.ts',
      globalTeardown: '<rootDir>/tests/platform/kit/global-teardown.ts',
    }),
  ],
  // The suites share one product, and some of them kill its parts.
  maxWorkers: 1,
  testTimeout: 120_000,
}
