import { Button, Dropdown, Segmented } from 'antd'
import { Link } from 'wouter'
import { save } from '../../kernel/files/save.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Drawing } from './canvas/parts.ts'
import { pictureOf } from './modeler/picture.ts'
import type { Saved } from './saver.ts'
import css from './studio.module.css'
import { modelFile } from './model/file.ts'
import { known } from '../../kernel/known.ts'

/** The view of a draft. */
export type View = 'diagram' | 'tables' | 'scenarios'

interface DraftBarProps extends Omit<FilesProps, 'onImport'> {
  title: string
  saved: Saved
  view: View
  onView(view: View): void
  onDialog(dialog: 'deploy' | 'import'): void
}

/** The draft's title, whether it is saved, and its actions. */
export function DraftBar({ process, title, saved, drawing, view, onView, write, onDialog }: DraftBarProps) {
  const { t } = useTexts()
  return (
    <header className={css['bar']}>
      <p className={css['where']}>
        <Link href={`/studio/${process}`}>{title}</Link>
      </p>
      <h1>{t('platform.studio.draft')}</h1>
      <SavedState saved={saved} />
      <span className={css['space']} />
      <Segmented<View>
        value={view}
        onChange={onView}
        options={(['diagram', 'tables', 'scenarios'] as const).map((one) => ({
          value: one,
          label: t(`platform.studio-view.${one}`),
        }))}
      />
      <Files drawing={drawing} process={process} write={write} onImport={() => onDialog('import')} />
      <Link href={`/studio/${process}/compare?to=draft`} className={css['linked']}>
        {t('platform.studio.compare')}
      </Link>
      <Button type="primary" disabled={!drawing} onClick={() => onDialog('deploy')}>
        {t('platform.studio.deploy')}
      </Button>
    </header>
  )
}

function SavedState({ saved }: { saved: Saved }) {
  const { t } = useTexts()
  const { time } = useFormats()
  return (
    <output className={css['saved']} data-state={saved.state}>
      {saved.state === 'saved'
        ? t('platform.studio-saved.saved', { time: time(saved.at) })
        : t(`platform.studio-saved.${saved.state}`)}
    </output>
  )
}

interface FilesProps {
  drawing: Drawing | undefined
  process: string
  write(): Promise<string>
  onImport(): void
}

function Files({ drawing, process, write, onImport }: FilesProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const keep = (kind: 'bpmn' | 'svg' | 'png') =>
    attempt(async () => {
      if (kind === 'bpmn') return save(`${process}.bpmn`, modelFile(await write()))
      const { svg } = await known(drawing, 'the drawing').saveSVG()
      save(`${process}.${kind}`, kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pictureOf(svg))
    })
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'import', label: t('platform.studio.import'), onClick: onImport },
          { type: 'divider' },
          ...(['bpmn', 'svg', 'png'] as const).map((kind) => ({
            key: kind,
            label: t(`platform.studio-export.${kind}`),
            onClick: () => void keep(kind),
          })),
        ],
      }}
    >
      <Button disabled={!drawing}>{t('platform.studio.files')}</Button>
    </Dropdown>
  )
}
