import { Alert } from 'antd'
import { Problem } from '../../platform/kernel/client/client.ts'
import { inWords } from '../../platform/kernel/states/trouble.tsx'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import css from './booking.module.css'

/** What happened, and whether anything was saved. */
export function WhatWentWrong({ problem, sent }: { problem: unknown; sent: boolean }) {
  const { t } = useTexts()
  const { title, detail } = inWords(problem, t)
  const named = problem instanceof Problem ? problem.errors.map(({ message }) => message).join(' ') : ''
  const doubtful = sent && problem instanceof Problem && (problem.status === 0 || problem.status >= 500)
  return (
    <Alert
      type="error"
      role="alert"
      className={css.alert}
      title={title}
      description={doubtful ? t('resource-reservation.doubtful') : named || detail}
    />
  )
}
