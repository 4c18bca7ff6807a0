import type { StaffScreen } from './short-screen.ts'

const files = import.meta.glob<StaffScreen[]>('../../../../forms/*/screens.json', {
  eager: true,
  import: 'default',
  query: '?staff',
})

/** The parts of screens that load after signing in. */
export const staffScreens: readonly StaffScreen[] = Object.values(files).flat()
