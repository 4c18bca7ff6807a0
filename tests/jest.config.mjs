/** One run, one worker: the suites share one product and some of them kill its parts. */
export default {
  rootDir: '..',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.(unit|db|http|process|ui).test.ts'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  testEnvironment: 'node',
  globalSetup: '<rootDir>/tests/platform/kit/global-setup.ts',
  globalTeardown: '<rootDir>/tests/platform/kit/global-teardown.ts',
  maxWorkers: 1,
  testTimeout: 120_000,
}
