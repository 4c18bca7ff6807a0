import { placeholderScreens } from '../../../../forms/platform/placeholders.ts'
import { matcher, type Screen } from './match.ts'
import { type bare, lengthened, type ShortScreen } from './short-screen.ts'

const files = import.meta.glob<ShortScreen[]>('../../../../forms/*/screens.json', { eager: true, import: 'default' })
const placeholders = import.meta.glob<ReturnType<typeof bare>>('../../../../forms/platform/placeholders.json', {
  eager: true,
  import: 'default',
})

/** By file, in the order of its screens. */
const built = new Map(
  Object.entries(files).map(([file, list]) => [
    file,
    list.map((screen) => lengthened(file.split('/').at(-2) ?? '', screen)),
  ]),
)

/** Every screen of every area. */
export const screens: readonly Screen[] = [
  ...[...built.values()].flat(),
  ...Object.values(placeholders).flatMap(placeholderScreens),
]

/** The screen of a path, if there is one. */
export const matchScreen = matcher(screens)

let completed: Promise<void> | undefined

/** Loads the rest of the staff screens; pages behind the sign-in wait for it. */
export function wantStaffScreens(): Promise<void> {
  completed ??= import('./staff-screens.ts').then(({ staffScreens }) => {
    for (const [file, list] of built)
      for (const [at, screen] of list.entries()) Object.assign(screen, staffScreens[file]?.[at])
  })
  return completed
}
