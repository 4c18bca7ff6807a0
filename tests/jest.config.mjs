import { resolve } from 'node:path'
import { inOneFile } from './platform/kit/in-one-file.mjs'

const swc = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', tsx },
      transform: { react: { runtime: 'automatic' } },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  },
]

const moduleNameMapper = await inOneFile()

/** The suffix of a test states its cost: `.unit` needs nothing, all others use their worker's running product. */
export const project = (displayName, suffixes, rest = {}) => ({
  displayName,
  rootDir: resolve(import.meta.dirname, '..'),
  roots: ['<rootDir>/tests'],
  // Within the clone: the order of a first run depends on the files only, so a failure can be reproduced elsewhere.
  cacheDirectory: resolve(import.meta.dirname, '../.data/jest'),
  testMatch: [`**/*.(${suffixes.join('|')}).test.ts`],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': swc(false),
    '^.+\\.tsx$': swc(true),
  },
  moduleNameMapper,
  testEnvironment: 'node',
  ...rest,
})

export default {
  projects: [
    project('unit', ['unit']),
    project('product', ['db', 'http', 'process', 'ui'], {
      testEnvironment: resolve(import.meta.dirname, 'platform/kit/environment.mjs'),
      globalSetup: resolve(import.meta.dirname, 'platform/kit/global-setup.ts'),
      globalTeardown: resolve(import.meta.dirname, 'platform/kit/global-teardown.ts'),
    }),
  ],
  // Each worker has its own product, whose parts its tests may kill.
  maxWorkers: 2,
  testSequencer: resolve(import.meta.dirname, 'platform/kit/longest-first.mjs'),
  reporters: ['default', resolve(import.meta.dirname, 'platform/kit/slowest.mjs')],
  testTimeout: 120_000,
}
