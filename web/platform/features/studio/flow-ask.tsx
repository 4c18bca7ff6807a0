import { Form, Input } from 'antd'
import { useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import {
  answerProposal,
  answerWaiver,
  askWaiver,
  dropDraft,
  rollBack,
  type ModelVersion,
  type StudioModel,
} from '../../kernel/api/studio.ts'
import { useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { NobodyDecides } from './nobody-decides.tsx'
import css from './studio.module.css'

export type Asked =
  | { what: 'roll-back'; version: ModelVersion }
  | { what: 'drop' }
  | { what: 'waive' }
  | { what: 'accept' | 'refuse' | 'waiver-confirm' | 'waiver-refuse'; id: string }

interface AskProps {
  model: StudioModel
  asked: Asked
  onClose(): void
}

/** Asks for confirmation and a reason before an irreversible act. */
export function Ask({ model: { process, title, waiting, waiver }, asked, onClose }: AskProps) {
  const { t } = useTexts()
  const [form] = Form.useForm<{ note: string; meant?: boolean }>()
  const [open, setOpen] = useState(true)
  const [undecided, setUndecided] = useState<readonly string[]>(
    asked.what === 'accept' ? (waiting?.undecided ?? []) : [],
  )
  const act = useAct()
  const version = asked.what === 'roll-back' ? asked.version.version : undefined
  const key =
    asked.what === 'refuse' && waiting?.mine
      ? 'take-back'
      : asked.what === 'waiver-refuse' && waiver?.mine
        ? 'waiver-take-back'
        : asked.what
  const answer = async (note: string, meant: boolean) => {
    const word = meant ? ({ nobodyDecides: true } as const) : {}
    if (asked.what === 'roll-back')
      return rollBack(process, { definitionId: asked.version.definitionId, note, ...word })
    if (asked.what === 'drop') return dropDraft(process)
    if (asked.what === 'waive') return askWaiver(process, note)
    if (asked.what === 'waiver-confirm' || asked.what === 'waiver-refuse')
      return answerWaiver(process, asked.id, asked.what === 'waiver-confirm', note)
    return answerProposal(process, asked.id, { accept: asked.what === 'accept', note, ...word })
  }
  return (
    <FormDialog
      open={open}
      title={t(`platform.studio-ask.${key}`, { title, version })}
      consequence={<p className={css['note']}>{t(`platform.studio-ask.${key}-detail`)}</p>}
      verb={t(`platform.studio.${key}`)}
      danger={asked.what === 'drop'}
      act={act}
      form={form}
      close={() => setOpen(false)}
      afterClose={onClose}
      onFinish={({ note, meant }: { note?: string; meant?: boolean }) =>
        void act.run(async () => {
          try {
            await answer(note ?? '', meant === true)
          } catch (error) {
            if (!(error instanceof Problem) || error.code !== 'platform.nobody-decides') throw error
            setUndecided(error.errors.map(({ message }) => message))
            return
          }
          setOpen(false)
        }, form)
      }
    >
      {undecided.length > 0 && <NobodyDecides rows={undecided} />}
      {asked.what !== 'drop' && (
        <Form.Item
          name="note"
          label={t('platform.studio.note')}
          rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
        >
          <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={2000} />
        </Form.Item>
      )}
    </FormDialog>
  )
}
