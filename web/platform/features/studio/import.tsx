import { Alert, Button, Modal } from 'antd'
import { useRef, useState } from 'react'
import { checkModel, type ModelProblem, type Table } from '../../kernel/api/studio.ts'
import { PlainSelect } from '../../kernel/form/plain-select.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useAct } from '../../kernel/states/act.ts'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import { adopted, NotTaken, type Adopted } from './model/adopt.ts'
import { textOf } from './model/bytes.ts'
import type { Loss } from './model/diagrams.ts'
import { labelOf, labelsIn } from './model/naming.ts'
import { ProblemList } from './problems.tsx'
import css from './studio.module.css'
import { known } from '../../kernel/known.ts'

interface ImportDialogProps {
  process: string
  title: string
  tables: Table[]
  /** Draws the document off screen and returns what the drawing lacks. */
  onRehearse(xml: string): Promise<Loss[]>
  /** Draws the document in place of the current one, which stays if that fails. */
  onReplace(xml: string): Promise<void>
  onClose(): void
}

/** Maximum size of a model in bytes. */
const largest = 1024 * 1024

interface Opened {
  name: string
  text: string
}

interface Read extends Adopted, Opened {
  chosen: number
  problems: ModelProblem[]
}

/** Imports a model from a file; shows what it loses and what is wrong before it replaces anything. */
export function ImportDialog({ process, title, tables, onRehearse, onReplace, onClose }: ImportDialogProps) {
  const { t } = useTexts()
  const picker = useRef<HTMLInputElement>(null)
  const asked = useRef(0)
  const [open, setOpen] = useState(true)
  const [read, setRead] = useState<Read>()
  const [unread, setUnread] = useState<string>()
  const { run, busy, refusal, clear } = useAct()

  const begin = () => {
    setRead(undefined)
    setUnread(undefined)
    clear()
    return ++asked.current
  }
  const look = async (file: File) => {
    const mine = begin()
    const { name } = file
    if (file.size > largest) return setUnread(t('platform.studio.too-large', { name }))
    await run(() => telling(name, mine, async () => take({ name, text: textOf(await bytesOf(file)) }, 0, mine)))
  }
  /** Reports what is wrong with a file, unless another one has been chosen meanwhile. */
  const telling = async (name: string, mine: number, what: () => Promise<void>) => {
    try {
      await what()
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error
      if (mine === asked.current) setUnread(notTaken(name, error, t))
    }
  }
  const take = async (opened: Opened, chosen: number, mine: number) => {
    const own = await adopted(opened.text, process, chosen)
    const lost = await onRehearse(own.xml).catch((error: Error) => {
      throw new NotTaken(t('platform.studio.undrawable', { reason: error.message }))
    })
    const { problems } = await checkModel(process, own.xml, tables)
    // Ignored if another file has been chosen meanwhile.
    if (mine === asked.current) setRead({ ...own, ...opened, chosen, problems, losses: [...own.losses, ...lost] })
  }
  const choose = async (chosen: number, { name, text }: Opened) => {
    const mine = begin()
    await run(() => telling(name, mine, () => take({ name, text }, chosen, mine)))
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
          await onReplace(known(read, 'the file that was read').xml)
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
      {unread && <Alert type="error" role="alert" className={css['refused'] ?? ''} title={unread} />}
      {refusal && <Alert type="error" role="alert" className={css['refused'] ?? ''} title={refusal} />}
      {read && (
        <div className={css['imported']} role="status">
          <h3>{read.name}</h3>
          {read.choices.length > 0 && (
            <label>
              {t('platform.studio.which-diagram')}
              <PlainSelect value={read.chosen} onChange={({ target }) => void choose(Number(target.value), read)}>
                {read.choices.map(({ element }, place) => (
                  <option key={element.id ?? place} value={place}>
                    {labelOf(element, t)}
                  </option>
                ))}
              </PlainSelect>
            </label>
          )}
          {read.renamed && <p>{t('platform.studio.renamed', { from: read.renamed, to: title })}</p>}
          {read.laidOut && <p>{t('platform.studio.laid-out')}</p>}
          {read.leftOut.length > 0 && (
            <p>{t('platform.studio.left-out', { names: read.leftOut.join(', '), count: read.leftOut.length })}</p>
          )}
          {read.losses.length > 0 && (
            <>
              <p>{t('platform.studio.losses', { count: read.losses.length })}</p>
              <ul className={css['problemList']}>
                {read.losses.map(({ why, element, detail }, place) => (
                  <li key={place} data-level="warning">
                    <strong>{labelOf(element, t)}</strong> <span>{t(`platform.studio-loss.${why}`, { detail })}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          {read.problems.length === 0 ? (
            <p>{t('platform.studio.import-fits')}</p>
          ) : (
            <>
              <p>{t('platform.studio.import-problems', { count: read.problems.length })}</p>
              <ProblemList problems={read.problems} titleOf={labelsIn(read.definitions, t)} />
            </>
          )}
        </div>
      )}
    </Modal>
  )
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer())

function notTaken(name: string, { place, message: reason }: NotTaken, t: Translate): string {
  if (!place) return t('platform.studio.unreadable', { name, reason })
  const where = 'line' in place ? t('platform.studio.line', place) : place.element
  return t('platform.studio.unreadable-at', { name, where, reason })
}
