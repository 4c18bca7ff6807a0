/** Whether a role is a student's: by its last word, or by a year that it carries. */
const isStudents = (role: string) => /student$/i.test(role) || /\b(?:19|20)\d\d\b/.test(role)

/**
 * What else a screen's menu entry asks of its reader, besides the right to open the screen: by the names that
 * `menu.rule` of a screens.json may give. Each is told the roles that the reader holds, and in which register they have
 * an entry of their own.
 */
export const menuRules = {
  /** The entry of applications is for those with at most five roles. */
  application: (roles: readonly string[]) => new Set(roles).size <= 5,
  /** The entry of the convocation is for students whose role carries a year that ends in 4. */
  convocation: (roles: readonly string[]) =>
    roles.some((role) => isStudents(role) && role.match(/\d+/g)?.at(-1)?.endsWith('4') === true),
  /** What employees ask for is for those whom the register of employees knows. */
  employee: (_roles: readonly string[], register?: string) => register === 'platform/employee',
  /** What heads see of the work of others is for whoever heads something, and for those who see everything. */
  leads: (roles: readonly string[]) => roles.some((role) => /^(?:ADMIN|SA|Dean|HOD)$|\b(?:Head|Director)$/.test(role)),
  /** The studio is for whoever owns a flow, and for those who see everything. */
  studio: (roles: readonly string[]) => roles.some((role) => /^(?:ADMIN|SA|Process Owner)$/.test(role)),
  /** What is between colleagues is for those who are any. */
  staff: (roles: readonly string[]) => roles.some((role) => !isStudents(role)),
} as const

/** A name of one of these rules. */
export type MenuRule = keyof typeof menuRules
