import { Checkbox, Select } from 'antd'
import { useMemo } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import {
  useContent,
  useDraft,
  useModels,
  useProposal,
  useVersions,
  useVocabulary,
  type ModelVersion,
  type Table,
} from '../../kernel/api/studio.ts'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { usePair } from './canvas/pair.ts'
import { Viewer } from './canvas/viewer.tsx'
import { tableDifferences } from './model/tables.ts'
import { useBpmn } from './model/use-bpmn.ts'
import css from './studio.module.css'
import { Differences, TableDifferences, useDifferences } from './words.tsx'
import { known } from '../../kernel/known.ts'

/** The draft's name in the address, in place of a version. */
const draftName = 'draft'
/** The name of a proposal that waits for another owner's approval. */
const proposalName = 'proposal'

/** Two versions of a flow side by side: differences are marked on both diagrams and listed in words. */
export default function ComparePage({ params }: PageProps) {
  const process = known(params['process'], 'the process of the page')
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const [path, navigate] = useLocation()
  const [search] = useSearchParams()
  const models = useModels()
  const model = models.data?.items.find((one) => one.process === process)
  const versions = useVersions(process)
  const vocabulary = useVocabulary(process).data
  const title = model?.title ?? process
  usePageTitle(t('platform.studio.compare-of', { title }))

  const items = useMemo(() => versions.data?.items ?? [], [versions.data])
  const proposal = model?.waiting?.id ?? null
  // Once decided, a proposal no longer waits: compare with the newest version instead.
  const over = search.get('to') === proposalName && model !== undefined && proposal === null
  const { from, to } = compared(items, search.get('from'), over ? null : search.get('to'))
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
  const { drawn, together, setTogether, at, jump } = usePair(found, said)
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
          <Viewer xml={before.bpmn} label={t('platform.studio-compare.from')} onDrawn={drawn.left} />
        )}
        <Viewer xml={after.bpmn} label={t('platform.studio-compare.to')} onDrawn={drawn.right} />
      </div>
      <section className={css['listed']} aria-label={t('platform.studio.differences')}>
        <Count of={found && said.length + tables.length} />
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

/** The number of differences and the legend. */
function Count({ of: count }: { of: number | undefined }) {
  const { t } = useTexts()
  return (
    <header>
      <h2>
        {count === undefined ? t('platform.studio.differences') : t('platform.studio.difference-count', { count })}
      </h2>
      <p className={css['legend']}>
        {(['added', 'removed', 'changed', 'moved'] as const).map((how) => (
          <span key={how} className={css['how']} data-how={how}>
            {t(`platform.studio-how.${how}`)}
          </span>
        ))}
      </p>
    </header>
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

/** The comparison without a choice in the address: the newest version and the one before it. */
function compared(items: readonly ModelVersion[], from: string | null, wanted: string | null) {
  const to = wanted ?? items[0]?.definitionId ?? null
  const isDraft = to === draftName || to === proposalName
  const before = isDraft ? items[0] : items[items.findIndex((one) => one.definitionId === to) + 1]
  return { to, from: from ?? before?.definitionId ?? null }
}

/** The diagram and the tables of a version, of the draft, or of the proposal. */
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
