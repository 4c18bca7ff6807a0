import type { Locale } from 'antd/es/locale/index.js'
import type { Language } from './texts.ts'

/** Ant Design's own texts (pickers, empty tables), loaded per language. */
export const antLocales: Record<Language, () => Promise<Locale>> = {
  en: () => import('antd/es/locale/en_GB.js').then((file) => file.default),
  si: () => import('antd/es/locale/si_LK.js').then((file) => file.default),
  ta: () => import('antd/es/locale/ta_IN.js').then((file) => file.default),
}
