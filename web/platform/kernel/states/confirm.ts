import { App } from 'antd'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'

/** A question before an act. */
interface Question {
  title: string
  /** What follows from the act. */
  consequence?: ReactNode
  /** What the button does, as its label. */
  verb: string
  /** The label of the other button, if it is not *Cancel*. */
  keep?: string
  /** The act takes something away. */
  danger?: boolean
  /** Until its promise is settled, the dialog stays open and its button is busy. */
  act(): unknown
}

/** Asks before an act that is hard to undo or that others notice. */
export function useConfirm(): (question: Question) => void {
  const { t } = useTexts()
  const { modal } = App.useApp()
  return ({ title, consequence, verb, keep = t('platform.cancel'), danger = false, act }) =>
    void modal.confirm({
      title,
      content: consequence,
      okText: verb,
      okButtonProps: { danger },
      cancelText: keep,
      onOk: () => act(),
    })
}
