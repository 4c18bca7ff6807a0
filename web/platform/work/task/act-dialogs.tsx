import { Form, Input } from 'antd'
import {
  askRequester,
  assignTask,
  delegateTask,
  followUpTask,
  peoplePath,
  resolveTask,
  setDue,
} from '../../kernel/api/task-acts.ts'
import type { Task } from '../../kernel/client/types.ts'
import { addDays, momentOf } from '../../kernel/clock/colombo.ts'
import { Act } from '../../people/people/act.tsx'
import { today } from '../../people/people/dates.ts'
import { Day } from '../../people/people/day.tsx'
import { PersonSelect } from '../../people/people/person-select.tsx'
import css from '../../people/people/people.module.css'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** Acts on a task that have a dialog. */
export type TaskDialog = 'assign' | 'delegate' | 'resolve' | 'question' | 'follow-up' | 'due'

interface DialogProps {
  of: Task
  onClose(): void
}

/** The dialog of one act on a task; it names the task and says what will happen. */
export default function ActDialogs({ dialog, ...props }: DialogProps & { dialog: TaskDialog }) {
  if (dialog === 'assign') return <Assign {...props} />
  if (dialog === 'delegate') return <Delegate {...props} />
  if (dialog === 'resolve') return <Resolve {...props} />
  if (dialog === 'question') return <AskRequester {...props} />
  if (dialog === 'follow-up') return <FollowUp {...props} />
  return <Due {...props} />
}

/** Blanks only are no answer. */
const useRequired = () => {
  const { t } = useTexts()
  return { required: true, whitespace: true, message: t('platform.field-required') }
}

function Assign({ of: { task, may }, onClose }: DialogProps) {
  const { t } = useTexts()
  const required = useRequired()
  // Reassigning needs a reason: the previous assignee is notified.
  const takes = task.assignee !== null && may.reassign && !may.assign
  return (
    <Act<{ to: string; why?: string }>
      title={t('platform.task.assign-title', { title: task.title })}
      ok={t('platform.task.assign')}
      reasoned={false}
      onClose={onClose}
      send={async ({ to, why }) => {
        const { assignee } = await assignTask(task.id, to, why?.trim())
        return t('platform.task.assigned', { name: assignee?.name })
      }}
    >
      {() => (
        <>
          <p className={css['note']}>
            {takes ? t('platform.task.assign-takes', { name: task.assignee?.name }) : t('platform.task.assign-detail')}
          </p>
          <Form.Item name="to" label={t('platform.task.to')} rules={[required]}>
            <PersonSelect pathOf={(search) => peoplePath(task.id, 'assign', search)} />
          </Form.Item>
          <Form.Item
            name="why"
            label={t(takes ? 'platform.people.reason' : 'platform.task.why-optional')}
            rules={takes ? [required] : []}
          >
            <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={500} />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

function Delegate({ of: { task }, onClose }: DialogProps) {
  const { t } = useTexts()
  const required = useRequired()
  return (
    <Act<{ to: string; words: string }>
      title={t('platform.task.delegate-title', { title: task.title })}
      ok={t('platform.task.delegate')}
      reasoned={false}
      onClose={onClose}
      send={async ({ to, words }) => {
        const { assignee } = await delegateTask(task.id, to, words.trim())
        return t('platform.task.delegated', { name: assignee?.name })
      }}
    >
      {() => (
        <>
          <p className={css['note']}>{t('platform.task.delegate-detail')}</p>
          <Form.Item name="to" label={t('platform.task.of-whom')} rules={[required]}>
            <PersonSelect pathOf={(search) => peoplePath(task.id, 'delegate', search)} />
          </Form.Item>
          <Form.Item name="words" label={t('platform.task.delegate-words')} rules={[required]}>
            <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} maxLength={4000} />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

function Resolve({ of: { task }, onClose }: DialogProps) {
  const { t } = useTexts()
  const required = useRequired()
  const name = task.delegatedBy?.name
  return (
    <Act<{ opinion: string }>
      title={t('platform.task.resolve-title', { title: task.title })}
      ok={t('platform.task.resolve-ok')}
      reasoned={false}
      onClose={onClose}
      send={async ({ opinion }) => {
        await resolveTask(task.id, opinion.trim())
        return t('platform.task.resolved', { name })
      }}
    >
      {() => (
        <>
          <p className={css['note']}>{t('platform.task.resolve-detail', { name })}</p>
          <Form.Item name="opinion" label={t('platform.task.opinion')} rules={[required]}>
            <Input.TextArea autoSize={{ minRows: 4, maxRows: 12 }} maxLength={4000} />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

function AskRequester({ of: { task, case: of }, onClose }: DialogProps) {
  const { t } = useTexts()
  const required = useRequired()
  const { name } = of.requester
  return (
    <Act<{ question: string }>
      title={t('platform.task.question-title', { name })}
      ok={t('platform.task.question-ok')}
      reasoned={false}
      onClose={onClose}
      send={async ({ question }) => {
        await askRequester(task.id, question.trim())
        return t('platform.task.question-sent', { name })
      }}
    >
      {() => (
        <>
          <p className={css['note']}>{t('platform.task.question-detail', { name })}</p>
          <Form.Item name="question" label={t('platform.task.question')} rules={[required]}>
            <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} maxLength={2000} />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

function FollowUp({ of: { task }, onClose }: DialogProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const required = { required: true, message: t('platform.field-required') }
  return (
    <Act<{ date: string }>
      title={t('platform.task.follow-up-title', { title: task.title })}
      ok={t('platform.task.follow-up-ok')}
      reasoned={false}
      onClose={onClose}
      send={async ({ date }) => {
        await followUpTask(task.id, momentOf({ date, time: '08:00' }))
        return t('platform.task.put-off', { day: day(date) })
      }}
    >
      {() => (
        <>
          <p className={css['note']}>{t('platform.task.follow-up-detail')}</p>
          <Form.Item name="date" label={t('platform.task.until-day')} rules={[required]}>
            <Day first={addDays(today(), 1)} />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

function Due({ of: { task }, onClose }: DialogProps) {
  const { t } = useTexts()
  const { moment, day } = useFormats()
  const required = { required: true, message: t('platform.field-required') }
  return (
    <Act<{ date: string }>
      title={t('platform.task.due-title', { title: task.title })}
      ok={t('platform.task.due-ok')}
      onClose={onClose}
      send={async ({ date, reason }) => {
        await setDue(task.id, momentOf({ date, time: '17:00' }), reason)
        return t('platform.task.due-set', { day: day(date) })
      }}
    >
      {() => (
        <>
          <p className={css['note']}>
            {task.dueAt ? t('platform.task.due-detail', { moment: moment(task.dueAt) }) : t('platform.task.due-none')}
          </p>
          <Form.Item name="date" label={t('platform.task.due-day')} rules={[required]}>
            <Day />
          </Form.Item>
        </>
      )}
    </Act>
  )
}
