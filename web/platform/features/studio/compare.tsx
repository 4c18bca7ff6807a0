import { Checkbox, Select } from 'antd'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import {
  useContent,
  useDraft,
  useModels,
  useProposal,
  useVersions,
  useVocabulary,
  type Table,
} from '../../kernel/api/studio.ts'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { jumpTo, type Box, type Drawing } from './canvas/parts.ts'
import canvas from './canvas/canvas.module.css'
import { Viewer } from './canvas/viewer.tsx'
import type { Difference } from './model/differences.ts'
import { tableDifferences } from './model/tables.ts'
import { useBpmn } from './model/use-bpmn.ts'
import css from './studio.module.css'
import { Differences, TableDifferences, useDifferences } from './words.tsx'

/** How the draft is called in the address, in the place of a version. */
const draftName = 'draft'
/** And what waits for another owner's approval. */
const proposalName = 'proposal'

/** Two versions of a flow beside each other: what differs is marked on both diagrams and listed in words. */
export default function ComparePage({ params }: PageProps) {
  const process = params['process']!
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const [path, navigate] = useLocation()
  const [search] = useSearchParams()
  const models = useModels()
  const model = models.data?.items.find((one) => one.process === process)
  const versions = useVersions(process)
  const vocabulary = useVocabulary(process).data
  const title = model?.title ?? process
  useEffect(() => {
    document.title = t('platform.page-title', { title: t('platform.studio.compare-of', { title }) })
  }, [t, title])

  const items = useMemo(() => versions.data?.items ?? [], [versions.data])
  const proposal = model?.waiting?.id ?? null
  const wanted = search.get('to')
  // What was decided on meanwhile waits no more: then it is the newest version, or nothing.
  const over = wanted === proposalName && model !== undefined && proposal === null
  const to = (over ? null : wanted) ?? items[0]?.definitionId ?? null
  const from =
    search.get('from') ??
    (to === draftName || to === proposalName
      ? items[0]?.definitionId
      : items[items.findIndex((one) => one.definitionId === to) + 1]?.definitionId) ??
    null
  const before = useVersion(process, from, proposal)
  const after = useVersion(process, to, proposal)
  const old = useBpmn(before.bpmn)
  const present = useBpmn(after.bpmn)
  const found = useDifferences(old.definitions, present.definitions, vocabulary)
  const tables = useMemo(
    () => (before.dmn && after.dmn ? tableDifferences(before.dmn, after.dmn) : []),
    [before.dmn, after.dmn],
  )
  const said = useMemo(() => (found ?? []).filter(({ how }) => how !== 'moved'), [found])
  const [left, setLeft] = useState<Drawing>()
  const [right, setRight] = useState<Drawing>()
  const [together, setTogether] = useState(true)
  const [at, setAt] = useState<string>()

  useEffect(() => (together && left && right ? moveTogether(left, right) : undefined), [together, left, right])
  useEffect(() => {
    if (!found || !left || !right) return
    const marks = [markDifferences(left, found), markDifferences(right, found)]
    return () => marks.forEach((unmark) => unmark())
  }, [found, left, right])

  // A large diagram opens where the change is.
  useEffect(() => {
    const [first] = said
    if (!first || !left || !right) return
    for (const drawing of [left, right]) jumpTo(drawing, first.element, false)
  }, [said, left, right])

  const jump = useCallback(
    ({ element }: Difference) => {
      setAt(element)
      for (const drawing of [right, left]) if (drawing) jumpTo(drawing, element)
    },
    [left, right],
  )
  const options = useMemo(
    () => [
      ...(model?.draft || to === draftName || from === draftName
        ? [{ value: draftName, label: t('platform.studio.draft') }]
        : []),
      ...(proposal === null ? [] : [{ value: proposalName, label: t('platform.studio.proposal') }]),
      ...items.map(({ definitionId, version, deployedAt }) => ({
        value: definitionId,
        label: t('platform.studio.version-of', { version, at: dateTime(deployedAt) }),
      })),
    ],
    [items, model, proposal, t, dateTime, to, from],
  )
  const choose = (which: 'from' | 'to') => (value: string) =>
    navigate(withQuery(path, { from, to, [which]: value }), { replace: true })

  const error = versions.error ?? before.error ?? after.error ?? old.error ?? present.error
  if (error) return <Wrong title={title} error={error} onRetry={() => void versions.mutate()} />
  return (
    <div className={css['studio']}>
      <header className={css['bar']}>
        <p className={css['where']}>
          <Link href={`/studio/${process}`}>{title}</Link>
        </p>
        <h1>{t('platform.studio.compare')}</h1>
        <span className={css['space']} />
        {(['from', 'to'] as const).map((which) => (
          <Select
            key={which}
            aria-label={t(`platform.studio-compare.${which}`)}
            prefix={t(`platform.studio-compare.${which}`)}
            value={which === 'from' ? from : to}
            options={options}
            onChange={choose(which)}
            popupMatchSelectWidth={false}
          />
        ))}
        <Checkbox checked={together} onChange={({ target }) => setTogether(target.checked)}>
          {t('platform.studio.together')}
        </Checkbox>
      </header>
      <div className={css['pair']}>
        {from === null ? (
          <div />
        ) : (
          <Viewer xml={before.bpmn} label={t('platform.studio-compare.from')} onDrawn={setLeft} />
        )}
        <Viewer xml={after.bpmn} label={t('platform.studio-compare.to')} onDrawn={setRight} />
      </div>
      <section className={css['listed']} aria-label={t('platform.studio.differences')}>
        <header>
          <h2>
            {found
              ? t('platform.studio.difference-count', { count: said.length + tables.length })
              : t('platform.studio.differences')}
          </h2>
          <p className={css['legend']}>
            {(['added', 'removed', 'changed', 'moved'] as const).map((how) => (
              <span key={how} className={css['how']} data-how={how}>
                {t(`platform.studio-how.${how}`)}
              </span>
            ))}
          </p>
        </header>
        {from === null ? (
          <p className={css['note']}>{t('platform.studio.only-version')}</p>
        ) : found ? (
          <>
            {(found.length > 0 || tables.length === 0) && <Differences of={found} at={at} onJump={jump} />}
            {tables.length > 0 && <TableDifferences of={tables} />}
          </>
        ) : (
          <Skeleton lines={4} />
        )}
      </section>
    </div>
  )
}

function Wrong({ title, error, onRetry }: { title: string; error: unknown; onRetry(): void }) {
  const { t } = useTexts()
  return (
    <div className={page.page}>
      <h1>{t('platform.studio.compare-of', { title })}</h1>
      <Trouble error={error} onRetry={onRetry} />
    </div>
  )
}

/** The diagram and the tables of a version, of the draft, or of what waits for approval. */
function useVersion(
  process: string,
  name: string | null,
  waiting: string | null,
): { bpmn: string | undefined; dmn: readonly Table[] | undefined; error: unknown } {
  const draft = useDraft(process, name === draftName)
  const proposal = useProposal(process, name === proposalName ? waiting : null)
  const version = useContent(process, name === draftName || name === proposalName ? null : name)
  const { data, error } = name === draftName ? draft : name === proposalName ? proposal : version
  return { bpmn: data?.bpmn, dmn: data?.dmn, error }
}

/** Shows the same part of both diagrams, whichever of the two is moved or enlarged; gives back how to let them go. */
function moveTogether(left: Drawing, right: Drawing): () => void {
  let leading = false
  const follow = (follower: Drawing) => (event: Record<string, unknown>) => {
    if (leading) return
    leading = true
    const { x, y, width, height } = event['viewbox'] as Box
    follower.get('canvas').viewbox({ x, y, width, height })
    leading = false
  }
  const [withRight, withLeft] = [follow(right), follow(left)]
  left.get('eventBus').on('canvas.viewbox.changed', withRight)
  right.get('eventBus').on('canvas.viewbox.changed', withLeft)
  return () => {
    left.get('eventBus').off('canvas.viewbox.changed', withRight)
    right.get('eventBus').off('canvas.viewbox.changed', withLeft)
  }
}

/** Marks in a diagram what differs, as far as it is drawn there; gives back how to take the marks away. */
function markDifferences(drawing: Drawing, differences: readonly Difference[]): () => void {
  const [marked, registry] = [drawing.get('canvas'), drawing.get('elementRegistry')]
  const put = differences.flatMap(({ element, how }) => {
    const drawn = registry.get(element)
    return drawn && drawn !== marked.getRootElement() ? [{ element, marker: canvas[how] ?? how }] : []
  })
  for (const { element, marker } of put) marked.addMarker(element, marker)
  return () => {
    for (const { element, marker } of put) if (registry.get(element)) marked.removeMarker(element, marker)
  }
}
