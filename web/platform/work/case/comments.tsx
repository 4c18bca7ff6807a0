import { Alert, Button, Mentions, Switch } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import { addComment, casePeoplePath, deleteComment, useComments, type Comment } from '../../kernel/api/comments.ts'
import { request } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { FileName } from '../../kernel/client/types.ts'
import { FileLink } from '../../kernel/files/file-link.tsx'
import { FormContext } from '../../kernel/form/form-context.ts'
import { useDebounced } from '../../kernel/clock/rested.ts'
import { Avatar } from '../../people/person/person.tsx'
import { useAct, useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './comments.module.css'
import { namesIn } from '../../kernel/screens/page.ts'

const FileWidget = lazy(() => import('../../kernel/form/file-widget.tsx'))

interface CommentsProps {
  caseId: string
  /** The open task, if any: comments then belong to its desk. */
  taskId?: string
}

/** Comments of the people who work on a case; the requester sees none of them. */
export default function Comments({ caseId, taskId }: CommentsProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useComments(caseId)
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={3} />
  return (
    <div className={css['comments']}>
      {data.items.length === 0 && <p className={css['none']}>{t('platform.comment.none')}</p>}
      <ol>
        {data.items.map((comment) => (
          <Said key={comment.id} comment={comment} caseId={caseId} />
        ))}
      </ol>
      <Write caseId={caseId} taskId={taskId} />
    </div>
  )
}

function Said({ comment, caseId }: { comment: Comment; caseId: string }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const confirm = useConfirm()
  const attempt = useAction()
  const { author, kind, at, body, mentions, files, mine, task } = comment
  const remove = () =>
    confirm({
      title: t('platform.comment.delete-title'),
      consequence: t('platform.comment.delete-detail'),
      verb: t('platform.comment.delete'),
      danger: true,
      act: () => attempt(() => deleteComment(caseId, comment.id), t('platform.comment.deleted')),
    })
  return (
    <li data-kind={kind}>
      <Avatar name={author.name} />
      <div>
        <p className={css['who']}>
          <strong>{author.name}</strong> <span>{[task, moment(at)].filter(Boolean).join(' · ')}</span>
          {kind !== 'comment' && <em>{t(`platform.comment.kind.${kind}`)}</em>}
        </p>
        <p className={css['body']}>
          <Body text={body} names={mentions.map(({ name }) => name)} />
        </p>
        {files.length > 0 && (
          <ul className={css['files']}>
            {files.map((file) => (
              <li key={file.id}>
                <FileLink {...file} />
              </li>
            ))}
          </ul>
        )}
        {mine && kind !== 'opinion' && (
          <Button
            size="small"
            type="text"
            aria-label={t('platform.comment.delete-of', { moment: moment(at) })}
            onClick={remove}
          >
            {t('platform.comment.delete')}
          </Button>
        )}
      </div>
    </li>
  )
}

/** A comment with its mentions highlighted. */
function Body({ text, names }: { text: string; names: string[] }) {
  const marks = names.map((name) => `@${name}`).sort((a, b) => b.length - a.length)
  const escaped = marks.map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const parts = marks.length > 0 ? text.split(new RegExp(`(${escaped.join('|')})`)) : [text]
  return parts.map((part, at) => (marks.includes(part) ? <strong key={at}>{part}</strong> : part))
}

const upload = (body: FormData) => request<FileName>('POST', '/api/files', { body })

/** Most files of a comment. */
const most = 10

function Write({ caseId, taskId }: { caseId: string; taskId: string | undefined }) {
  const { t } = useTexts()
  const id = useId()
  const { busy, refusal, run } = useAct()
  const [body, setBody] = useState('')
  const [named, setNamed] = useState<{ id: string; name: string }[]>([])
  const [own, setOwn] = useState(false)
  const [files, setFiles] = useState<string[]>([])
  const [attaching, setAttaching] = useState(false)
  const [uploading, setUploading] = useState(false)
  const sendable = body.trim() !== '' && !uploading
  // The typed text after the @ sign.
  const [wanted, setWanted] = useState<string>()
  const search = useDebounced(wanted ?? '')
  const people = useRead<{ items: { id: string; name: string; post: string | null }[] }>(
    wanted === undefined ? null : casePeoplePath(caseId, search),
  )

  const send = () =>
    run(async () => {
      const mentions = own ? [] : named.filter(({ name }) => body.includes(`@${name}`)).map((each) => each.id)
      await addComment(caseId, { body: body.trim(), private: own, mentions: [...new Set(mentions)], files, taskId })
      setBody('')
      setNamed([])
      setOwn(false)
      setFiles([])
      setAttaching(false)
    })

  return (
    <form
      className={css['write']}
      onSubmit={(event) => {
        event.preventDefault()
        if (sendable) void send()
      }}
    >
      <label htmlFor={`${id}body`}>{t(own ? 'platform.comment.note' : 'platform.comment.write')}</label>
      <Mentions
        id={`${id}body`}
        value={body}
        autoSize={{ minRows: 2, maxRows: 10 }}
        maxLength={4000}
        aria-describedby={`${id}help`}
        loading={people.isLoading}
        filterOption={false}
        notFoundContent={t(people.isLoading ? 'platform.loading' : 'platform.form.none-found')}
        options={(people.data?.items ?? []).map((each) => ({
          value: each.name,
          key: each.id,
          label: each.post ? t('platform.people.with-post', { name: each.name, post: each.post }) : each.name,
        }))}
        onSearch={setWanted}
        onSelect={({ key, value }) => {
          // The widget adds a mark of its own to the key.
          const found = people.data?.items.find(({ id: one }) => key?.startsWith(one))
          if (found && value) setNamed((before) => [...before, { id: found.id, name: value }])
        }}
        onChange={setBody}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && sendable) void send()
        }}
      />
      <p id={`${id}help`} className={css['help']}>
        {t(own ? 'platform.comment.note-help' : 'platform.comment.help')}
      </p>
      {attaching && (
        <Suspense fallback={<Skeleton lines={1} />}>
          <FormContext
            value={{
              errors: new Map(),
              idOf: (pointer) => `${id}${pointer}`,
              found: () => undefined,
              fill: () => undefined,
              whole: { schema: {}, value: {} },
              asked: { wanted: new Set(), unwanted: new Set(), rows: new Map() },
              of: undefined,
              unavailable: [],
              onLeave: () => {},
              awaits: (_, act) => {
                setUploading(true)
                return act().finally(() => setUploading(false))
              },
              upload,
              source: {},
            }}
          >
            <FileWidget
              id={`${id}files`}
              pointer="/files"
              schema={{ type: 'array', maxItems: most, items: { 'x-widget': 'file' } }}
              value={files}
              wrong={false}
              required={false}
              describedBy={undefined}
              onChange={(value) => setFiles(namesIn(value) ?? [])}
            />
          </FormContext>
        </Suspense>
      )}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
      <div className={css['acts']}>
        <Button type="primary" ghost htmlType="submit" loading={busy} disabled={!sendable}>
          {t(own ? 'platform.comment.keep' : 'platform.comment.send')}
        </Button>
        {!attaching && (
          <Button type="text" onClick={() => setAttaching(true)}>
            {t('platform.comment.attach')}
          </Button>
        )}
        <span className={css['own']}>
          <Switch id={`${id}own`} size="small" checked={own} onChange={setOwn} />
          <label htmlFor={`${id}own`}>{t('platform.comment.private')}</label>
        </span>
      </div>
    </form>
  )
}
