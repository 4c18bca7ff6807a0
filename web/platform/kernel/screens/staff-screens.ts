import type { StaffScreen } from './short-screen.ts'

const files = import.meta.glob<StaffScreen[]>('../../../../forms/*/screens.json', {
  eager: true,
  import: 'default',
  query: '?staff',
})

/** What screens behind the sign-in keep for those who are signed in. */
export const staffScreens: readonly StaffScreen[] = Object.values(files).flat()
