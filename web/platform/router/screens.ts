import { matcher, type Screen } from './match.ts'

const files = import.meta.glob<Screen[]>('../../../forms/*/screens.json', { eager: true, import: 'default' })

/** Every screen of every area. */
export const screens: readonly Screen[] = Object.values(files).flat()

/** The screen of a path, if there is one. */
export const matchScreen = matcher(screens)
