import { Alert, Button, Modal } from 'antd'
import { useRef, useState } from 'react'
import { checkModel, type ModelProblem, type Table } from '../api/studio.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { useAct } from '../states/act.ts'
import { useTexts, type Translate } from '../texts/texts.ts'
import { adopted, NotTaken, type Adopted } from './model/adopt.ts'
import { ProblemList } from './problems.tsx'
import css from './studio.module.css'

interface ImportDialogProps {
  process: string
  tables: Table[]
  /** Draws the document in the place of what is there. */
  onReplace(xml: string): Promise<void>
  onClose(): void
}

/** Bytes that a model may have. */
const largest = 1024 * 1024

interface Read extends Adopted {
  name: string
  problems: ModelProblem[]
}

/** A model out of a file: what it cannot carry over and what is wrong with it is said before it replaces anything. */
export function ImportDialog({ process, tables, onReplace, onClose }: ImportDialogProps) {
  const { t } = useTexts()
  const picker = useRef<HTMLInputElement>(null)
  const asked = useRef(0)
  const [open, setOpen] = useState(true)
  const [read, setRead] = useState<Read>()
  const [unread, setUnread] = useState<string>()
  const { run, busy, refusal, clear } = useAct()

  const look = async (file: File) => {
    const mine = ++asked.current
    const { name } = file
    setRead(undefined)
    setUnread(undefined)
    clear()
    if (file.size > largest) return setUnread(t('platform.studio.too-large', { name }))
    await run(async () => {
      let own: Adopted
      try {
        own = await adopted(await file.text(), process)
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error
        if (mine === asked.current) setUnread(notTaken(name, error, t))
        return
      }
      const { problems } = await checkModel(process, own.xml, tables)
      // Meanwhile another file may have been chosen.
      if (mine === asked.current) setRead({ ...own, name, problems })
    })
  }
  return (
    <Modal
      open={open}
      title={t('platform.studio.import')}
      width={640}
      okText={t('platform.studio.replace')}
      okButtonProps={{ disabled: !read, loading: busy, danger: true }}
      cancelText={t('platform.cancel')}
      onOk={() =>
        void run(async () => {
          await onReplace(read!.xml)
          setOpen(false)
        })
      }
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <p className={css['note']}>{t('platform.studio.import-detail')}</p>
      <input
        ref={picker}
        type="file"
        accept=".bpmn,.xml"
        aria-label={t('platform.studio.file')}
        className="visually-hidden"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) void look(file)
        }}
      />
      <Button onClick={() => picker.current?.click()}>{t('platform.studio.choose-file')}</Button>
      {busy && !read && !unread && <Skeleton lines={3} />}
      {unread && <Alert type="error" role="alert" title={unread} />}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
      {read && (
        <div className={css['imported']} role="status">
          <h3>{read.name}</h3>
          {read.renamed && <p>{t('platform.studio.renamed', { from: read.renamed, to: process })}</p>}
          {read.leftOut.length > 0 && (
            <p>{t('platform.studio.left-out', { names: read.leftOut.join(', '), count: read.leftOut.length })}</p>
          )}
          {read.problems.length === 0 ? (
            <p>{t('platform.studio.import-fits')}</p>
          ) : (
            <>
              <p>{t('platform.studio.import-problems', { count: read.problems.length })}</p>
              <ProblemList problems={read.problems} titleOf={(element) => element} />
            </>
          )}
        </div>
      )}
    </Modal>
  )
}

function notTaken(name: string, { place, message: reason }: NotTaken, t: Translate): string {
  if (!place) return t('platform.studio.unreadable', { name, reason })
  const where = 'line' in place ? t('platform.studio.line', place) : place.element
  return t('platform.studio.unreadable-at', { name, where, reason })
}
