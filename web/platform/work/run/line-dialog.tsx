import { Form, Input, Modal } from 'antd'
import {
  actOnLine,
  actOnLines,
  correctLine,
  returnLine,
  useLineEvents,
  type LineAct,
  type RunLine,
} from '../../kernel/api/runs.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from '../../people/people/act.tsx'
import css from './run.module.css'

interface LineDialogProps {
  caseId: string
  line: RunLine
  act: LineAct
  onClose(): void
}

/** Acts whose reason the student finds beside their instalment. */
const toldStudents: readonly string[] = ['hold', 'strike', 'return']

/** Asks for the text of an act on one line; shows the line's history above. */
export function LineDialog({ caseId, line, act, onClose }: LineDialogProps) {
  const { t } = useTexts()
  const { name } = line
  return (
    <Act<{ bankReference: string }>
      title={t(`platform.run.act-title.${act}`, { name })}
      ok={t(`platform.run.act.${act}`)}
      danger={act === 'strike'}
      onClose={onClose}
      send={async ({ reason, bankReference }) => {
        if (act === 'return') await returnLine(caseId, line.id, { reason, bankReference })
        else if (act === 'settle' || act === 'owe') await correctLine(caseId, line.id, act, reason)
        else await actOnLine(caseId, line.id, act, reason)
        return t('platform.run.act-done', { name })
      }}
    >
      {() => (
        <>
          <Said caseId={caseId} line={line.id} />
          {toldStudents.includes(act) && <p>{t('platform.run.student-reads')}</p>}
          {act === 'return' && (
            <Form.Item
              name="bankReference"
              label={t('platform.run.bank-reference')}
              rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
            >
              <Input maxLength={60} />
            </Form.Item>
          )}
        </>
      )}
    </Act>
  )
}

/** Acts that many lines get with one reason. */
export const actsOnMany = ['hold', 'release', 'strike'] as const
export type ActOnMany = (typeof actsOnMany)[number]

interface ManyDialogProps {
  caseId: string
  lines: string[]
  act: ActOnMany
  onDone(answer: Awaited<ReturnType<typeof actOnLines>>): void
  onClose(): void
}

/** Asks for the reason of an act on many lines. */
export function ManyDialog({ caseId, lines, act, onDone, onClose }: ManyDialogProps) {
  const { t } = useTexts()
  const title = t(`platform.run.act-on-many.${act}`, { count: lines.length })
  return (
    <Act
      title={title}
      ok={title}
      danger={act === 'strike'}
      onClose={onClose}
      send={async ({ reason }) => {
        const answer = await actOnLines(caseId, { act, text: reason, lines })
        onDone(answer)
        return t('platform.run.acted-on-many', { count: answer.done })
      }}
    >
      {() => toldStudents.includes(act) && <p>{t('platform.run.students-read')}</p>}
    </Act>
  )
}

/** Shows what was asked, answered and done about one line. */
export function LineHistory({ caseId, line, onClose }: Omit<LineDialogProps, 'act'>) {
  return (
    <Modal open title={line.name} footer={null} onCancel={onClose}>
      <Said caseId={caseId} line={line.id} />
    </Modal>
  )
}

/** The history of a line. */
function Said({ caseId, line }: { caseId: string; line: string }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const { data } = useLineEvents(caseId, line)
  if (!data || data.items.length === 0) return null
  return (
    <ul className={css['said']}>
      {data.items.map(({ kind, text, how, by, at }) => (
        <li key={`${kind} ${at}`}>
          <small>{[t(`platform.run.event.${kind}`), by, moment(at)].filter(Boolean).join(', ')}</small>{' '}
          {how === 'shared-account' ? t('platform.run.shared-with', { codes: text ?? '' }) : text}
        </li>
      ))}
    </ul>
  )
}
