import { placeholderScreens } from '../../../../forms/platform/placeholders.ts'
import { matcher, type Screen } from './match.ts'
import { type bare, lengthened, type ShortScreen } from './short-screen.ts'

const files = import.meta.glob<ShortScreen[]>('../../../../forms/*/screens.json', { eager: true, import: 'default' })
const placeholders = import.meta.glob<ReturnType<typeof bare>>('../../../../forms/platform/placeholders.json', {
  eager: true,
  import: 'default',
})

/** Every screen of every area. */
export const screens: readonly Screen[] = [
  ...Object.entries(files).flatMap(([file, list]) =>
    list.map((screen) => lengthened(file.split('/').at(-2) ?? '', screen)),
  ),
  ...Object.values(placeholders).flatMap(placeholderScreens),
]

/** The screen of a path, if there is one. */
export const matchScreen = matcher(screens)

let completed: Promise<void> | undefined

/** Loads the rest of the staff screens; pages behind the sign-in wait for it. */
export function wantStaffScreens(): Promise<void> {
  completed ??= import('./staff-screens.ts').then(({ staffScreens }) => {
    const kept = new Map(staffScreens.map((one) => [one.route, one]))
    for (const screen of screens) Object.assign(screen, kept.get(screen.route))
  })
  return completed
}
