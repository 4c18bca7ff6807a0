import { project } from '../jest.config.mjs'

/** Against a real Keycloak: a download of 180 MB and a start of half a minute, so not part of `npm test`. */
export default {
  ...project('keycloak', []),
  testMatch: ['<rootDir>/tests/keycloak/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 60_000,
}
