import type { StaffScreen } from './short-screen.ts'

const files = import.meta.glob<StaffScreen[]>('../../../../forms/*/screens.json', {
  eager: true,
  import: 'default',
  query: '?staff',
})

/** The parts of screens that load after signing in: by file, in the order of its screens. */
export const staffScreens: Readonly<Record<string, readonly StaffScreen[]>> = files
