import { App as AntApp, ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale/index.js'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { SWRConfig } from 'swr'
import { Problem } from './platform/kernel/client/client.ts'
import { publicScreen, Routes } from './platform/edge/router/router.tsx'
import { matchScreen } from './platform/kernel/screens/screens.ts'
import { startSession } from './platform/kernel/session/session.ts'
import { antLocales } from './platform/kernel/texts/ant-locales.ts'
import { startTexts, useTexts } from './platform/kernel/texts/texts.ts'
import { modal, paint, themeOf } from './platform/kernel/theme/theme.ts'

function useMedia(query: string): boolean {
  const [media] = useState(() => window.matchMedia(query))
  const [matches, setMatches] = useState(media.matches)
  useEffect(() => {
    const change = () => setMatches(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [media])
  return matches
}

function Root() {
  const { language } = useTexts()
  const scheme = useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light'
  const still = useMedia('(prefers-reduced-motion: reduce)')
  // Never without one: with the first, the provider would mount the page again, and what was typed would be lost.
  const [locale, setLocale] = useState<Locale>({ locale: 'en' })
  useEffect(() => paint(scheme), [scheme])
  useEffect(() => void antLocales[language]().then(setLocale), [language])
  return (
    <ConfigProvider theme={themeOf(scheme, language !== 'en', still)} modal={modal} locale={locale}>
      <AntApp message={{ maxCount: 2 }} notification={{ placement: 'bottomLeft', maxCount: 3 }}>
        <SWRConfig
          value={{
            // Long enough for the parts of one page that read the same. With the 2 s of the library, a page that was
            // opened again within them would have shown what it knew, and never looked again.
            dedupingInterval: 200,
            // The API would refuse the same request again; retry only timeouts and server errors.
            shouldRetryOnError: (error: unknown) =>
              error instanceof Problem && (error.status === 0 || error.status >= 500),
            errorRetryCount: 4,
          }}
        >
          <Routes />
        </SWRConfig>
      </AntApp>
    </ConfigProvider>
  )
}

paint(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

/** Texts and a public page load first; the session may arrive after the first render. */
export async function start(): Promise<void> {
  const path = window.location.pathname
  const match = matchScreen(path)
  const isPublic = match?.screen.guard === 'public'
  const texts = startTexts()
  // What fails to load is loaded again, and shown as failed, by the first render.
  const page = isPublic ? publicScreen(match, path, texts).catch(() => undefined) : undefined
  await texts
  void startSession(match !== undefined && !isPublic)
  await page
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  )
}
