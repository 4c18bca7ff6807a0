import { Alert, Button } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import {
  lockDraft,
  openDraft,
  readDraft,
  unlockDraft,
  useModels,
  useVocabulary,
  type Draft,
} from '../../kernel/api/studio.ts'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import css from './studio.module.css'
import { known } from '../../kernel/known.ts'

const Workbench = lazy(() => import('./workbench.tsx'))
const Viewer = lazy(async () => ({ default: (await import('./canvas/viewer.tsx')).Viewer }))

/** Below this width elements cannot be added, moved or connected. */
const roomToDraw = '(min-width: 768px)'

/** Whether this reader holds the draft's lock: unknown at first. */
type Hold = { state: 'asking' } | { state: 'ours' } | { state: 'theirs'; detail: string }

/** The draft of a flow: its lock holder edits it, everybody else reads it. */
export default function DraftPage({ params }: PageProps) {
  const process = known(params['process'], 'the process of the page')
  const { t } = useTexts()
  const [draft, setDraft] = useState<Draft>()
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState<unknown>()
  const [hold, setHold] = useState<Hold>({ state: 'asking' })
  const gone = useRef(false)
  const wide = useMatches(roomToDraw)
  const vocabulary = useVocabulary(process)
  const title = useModels().data?.items.find((one) => one.process === process)?.title ?? process

  usePageTitle(t('platform.studio.draft-of', { title }))

  const [asked, setAsked] = useState({ takeOver: false })
  const open = (takeOver: boolean) => setAsked({ takeOver })
  useEffect(() => {
    let dropped = false
    openAs(process, asked.takeOver).then(
      (found) => {
        if (dropped) return
        setDraft(found.draft)
        setRound((n) => n + 1)
        setHold(found.hold)
        setProblem(undefined)
      },
      (error: unknown) => !dropped && setProblem(error),
    )
    return () => {
      dropped = true
    }
  }, [process, asked])
  useEffect(() => {
    if (hold.state !== 'ours') return
    // The lock lasts five minutes and is renewed even without edits; if it is lost, the next save reports that.
    const renewing = setInterval(() => void Promise.allSettled([lockDraft(process, false)]), 120_000)
    return () => {
      clearInterval(renewing)
      // A lock that is not released expires by itself.
      if (!gone.current) void Promise.allSettled([unlockDraft(process)])
    }
  }, [process, hold.state])

  const error = problem ?? (vocabulary.data ? undefined : vocabulary.error)
  if (error instanceof Problem && error.status === 404 && vocabulary.data)
    return <None process={process} title={title} onOpen={() => open(false)} />
  if (error !== undefined)
    return (
      <div className={page.page}>
        <h1>{t('platform.studio.draft-of', { title })}</h1>
        <Trouble error={error} onRetry={() => (vocabulary.data ? open(false) : void vocabulary.mutate())} />
      </div>
    )
  if (!draft || !vocabulary.data || hold.state === 'asking')
    return (
      <div className={page.page}>
        <Skeleton lines={8} />
      </div>
    )
  if (hold.state === 'ours')
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <Workbench
          // Another round reloads what somebody else saved.
          key={round}
          process={process}
          title={title}
          draft={draft}
          vocabulary={vocabulary.data}
          draws={wide}
          onAgain={(takeOver) => open(takeOver)}
          onDeployed={() => {
            gone.current = true
          }}
        />
      </Suspense>
    )
  return (
    <div className={css['studio']}>
      <header className={css['bar']}>
        <p className={css['where']}>
          <Link href={`/studio/${process}`}>{title}</Link>
        </p>
        <h1>{t('platform.studio.draft')}</h1>
      </header>
      <TakeOver detail={hold.detail} onTake={() => open(true)} onAgain={() => open(false)} />
      <Suspense fallback={<Skeleton lines={8} />}>
        <Viewer xml={draft.bpmn} label={t('platform.studio.diagram-of', { title })} onDrawn={() => undefined} />
      </Suspense>
    </div>
  )
}

/** Takes the lock before it reads the draft: the previous holder may have saved a moment ago. */
async function openAs(process: string, takeOver: boolean): Promise<{ draft: Draft; hold: Hold }> {
  const hold = await ask(process, takeOver)
  return { draft: await readDraft(process), hold }
}

async function ask(process: string, takeOver: boolean): Promise<Hold> {
  try {
    await lockDraft(process, takeOver)
    return { state: 'ours' }
  } catch (error) {
    if (error instanceof Problem && error.status === 409)
      return { state: 'theirs', detail: error.detail ?? error.message }
    throw error
  }
}

function TakeOver({ detail, onTake, onAgain }: { detail: string; onTake(): void; onAgain(): void }) {
  const { t } = useTexts()
  const confirm = useConfirm()
  const takeOver = () =>
    confirm({
      title: t('platform.studio.take-over-title'),
      consequence: t('platform.studio.take-over-detail'),
      verb: t('platform.studio.take-over'),
      act: onTake,
    })
  return (
    <Alert
      type="warning"
      banner
      showIcon
      title={detail}
      description={t('platform.studio.read-only')}
      action={
        <span className={css['buttons']}>
          <Button size="small" onClick={onAgain}>
            {t('platform.studio.look-again')}
          </Button>
          <Button size="small" onClick={takeOver}>
            {t('platform.studio.take-over')}
          </Button>
        </span>
      }
    />
  )
}

function None({ process, title, onOpen }: { process: string; title: string; onOpen(): void }) {
  const { t } = useTexts()
  const attempt = useAction()
  const [, navigate] = useLocation()
  const begin = async () => {
    if (await attempt(() => openDraft(process))) onOpen()
  }
  return (
    <div className={page.page}>
      <h1>{t('platform.studio.draft-of', { title })}</h1>
      <Empty
        title={t('platform.studio.no-draft')}
        actions={
          <>
            <Button type="primary" onClick={() => void begin()}>
              {t('platform.studio.begin')}
            </Button>
            <Button onClick={() => navigate(`/studio/${process}`)}>{t('platform.studio.to-flow')}</Button>
          </>
        }
      >
        {t('platform.studio.no-draft-detail')}
      </Empty>
    </div>
  )
}

function useMatches(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const list = window.matchMedia(query)
    const listen = () => setMatches(list.matches)
    list.addEventListener('change', listen)
    return () => list.removeEventListener('change', listen)
  }, [query])
  return matches
}
