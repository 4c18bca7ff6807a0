import { App } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '../../platform/kernel/session/session.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { applyingPage } from './vacancies.ts'

const AccountDialogs = lazy(() => import('../../platform/people/session/account-dialogs.tsx'))

/**
 * Begins to apply for the selected vacancies: visitors are asked for an account, in which their selection is kept.
 * Returns what to call, and the dialogs to show.
 */
export function useApplying(selected: readonly string[]): { apply(): void; dialogs: ReactNode } {
  const { t } = useTexts()
  const { message } = App.useApp()
  const session = useSession()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState(false)
  const target = applyingPage(selected)
  return {
    apply() {
      if (selected.length === 0) void message.warning(t('recruitment.page.none-selected'))
      else if (session.state === 'in') navigate(target)
      else setAsked(true)
    },
    dialogs: asked && (
      <Suspense fallback={null}>
        <AccountDialogs
          why={t('recruitment.page.account-why')}
          target={target}
          said="platform.account-form.created-applicant"
          known={{ request_ids: [...selected] }}
          close={() => setAsked(false)}
        />
      </Suspense>
    ),
  }
}
