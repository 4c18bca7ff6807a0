import { Alert, Button } from 'antd'
import type { Draft } from '../../kernel/api/drafts.ts'
import type { FormRef } from '../../kernel/client/types.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { Record } from '../../kernel/record/record.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Typing } from './draft.ts'
import css from './task.module.css'

interface DraftLineProps {
  typing: Typing
  /** The server's last state. */
  draft: Draft | null
  /** The form, to show a later draft beside this one. */
  form?: FormRef
  /** Called when the fields show another device's draft. */
  onChoose(data: FormValue): void
  onDiscard(): void
}

/** When the draft was saved, any conflict, and the button to discard it. */
export function DraftLine({ typing, draft, form, onChoose, onDiscard }: DraftLineProps) {
  const { t } = useTexts()
  const { moment, time, day } = useFormats()
  const confirm = useConfirm()
  const attempt = useAction()
  const now = useNow()
  const { typed, saveState, keptIn, savedAt } = typing
  if (!typed) return null
  const when = (at: string) => (day(at) === day(now) ? time(at) : moment(at))

  const discard = () =>
    confirm({
      title: t('platform.draft.discard-title'),
      consequence: t('platform.draft.discard-detail'),
      verb: t('platform.draft.discard'),
      danger: true,
      keep: t('platform.draft.keep'),
      act: () =>
        attempt(async () => {
          await typing.discard()
          onDiscard()
        }),
    })

  if (saveState === 'changed')
    return (
      <Alert
        className={css['problem']}
        type="warning"
        role="alert"
        title={t('platform.draft.changed', { when: draft ? when(draft.savedAt) : '' })}
        description={
          <>
            <p>{t('platform.draft.changed-detail')}</p>
            {form && draft && <Record schema={form.schema} data={draft.data} before={typed} />}
            <p className={css['choices']}>
              <Button
                size="small"
                onClick={() => {
                  typing.takeOther()
                  if (draft) onChoose(draft.data)
                }}
              >
                {t('platform.draft.take-other')}
              </Button>
              <Button size="small" onClick={typing.keepOwn}>
                {t('platform.draft.keep-own')}
              </Button>
            </p>
          </>
        }
      />
    )
  return (
    <>
      {draft?.conflict && (
        <Alert
          className={css['problem']}
          type="warning"
          title={draft.conflict}
          description={t('platform.draft.conflict-detail')}
        />
      )}
      <p className={css['draft']}>
        {saveState === 'here'
          ? t(keptIn === 'browser' ? 'platform.draft.here-browser' : 'platform.draft.here')
          : savedAt
            ? t('platform.draft.of', { when: when(savedAt) })
            : t('platform.draft.saving')}{' '}
        <Button size="small" type="text" onClick={discard}>
          {t('platform.draft.discard')}
        </Button>
      </p>
    </>
  )
}
