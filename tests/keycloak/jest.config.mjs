import { project } from '../jest.config.mjs'

/** Against the real Keycloak: it is 180 MB to fetch and half a minute to start, so it is no part of `npm test`. */
export default {
  ...project('keycloak', []),
  testMatch: ['<rootDir>/tests/keycloak/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 60_000,
}
