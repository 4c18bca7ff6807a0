/** Whether a role is a student's: it ends in "student", or contains a year. */
const isStudents = (role: string) => /student$/i.test(role) || /\b(?:19|20)\d\d\b/.test(role)

/**
 * Further conditions of a menu entry, besides access to its screen, under the names that `menu.rule` in a screens.json
 * may give. Each gets the reader's roles, and the register in which they have an entry of their own.
 */
export const menuRules = {
  /** People with at most five roles see applications. */
  application: (roles: readonly string[]) => new Set(roles).size <= 5,
  /** Students whose role has a year that ends in 4 see the convocation. */
  convocation: (roles: readonly string[]) =>
    roles.some((role) => isStudents(role) && role.match(/\d+/g)?.at(-1)?.endsWith('4') === true),
  /** People in the register of employees see employees' flows. */
  employee: (_roles: readonly string[], register?: string) => register === 'platform/employee',
  /** Heads of units, ADMIN and SA see the team pages. */
  leads: (roles: readonly string[]) => roles.some((role) => /^(?:ADMIN|SA|Dean|HOD)$|\b(?:Head|Director)$/.test(role)),
  /** Process owners, ADMIN and SA see the studio. */
  studio: (roles: readonly string[]) => roles.some((role) => /^(?:ADMIN|SA|Process Owner)$/.test(role)),
  /** Everybody with a role other than a student's sees staff pages. */
  staff: (roles: readonly string[]) => roles.some((role) => !isStudents(role)),
} as const

export type MenuRule = keyof typeof menuRules
