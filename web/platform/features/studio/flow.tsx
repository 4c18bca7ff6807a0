import { Alert, Button, Switch } from 'antd'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import { askSecondOwner, openDraft, useModels, type StudioModel } from '../../kernel/api/studio.ts'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import css from './studio.module.css'
import { Versions } from './flow-versions.tsx'
import { type Asked, Ask } from './flow-ask.tsx'

/** One flow: its versions with author, time and note, its draft, and what can be done with them. */
export default function FlowPage({ params }: PageProps) {
  const { t } = useTexts()
  const models = useModels()
  return (
    <ItemPage list={{ href: '/studio', title: t('platform.screen.studio') }} read={models}>
      {({ items }) => {
        const model = items.find(({ process }) => process === params['process'])
        return model ? <Present model={model} /> : <Unknown />
      }}
    </ItemPage>
  )
}

function Unknown() {
  const { t } = useTexts()
  return (
    <>
      <h1>{t('platform.studio.flow')}</h1>
      <Empty title={t('platform.studio.unknown')}>{t('platform.studio.unknown-detail')}</Empty>
    </>
  )
}

function Present({ model }: { model: StudioModel }) {
  const { process, title, owners, draft, waiting, waiver, moving } = model
  const { t } = useTexts()
  const { moment } = useFormats()
  const [, navigate] = useLocation()
  const attempt = useAction()
  const [asked, setAsked] = useState<Asked>()
  usePageTitle(title)
  const edit = async () => {
    if (draft || (await attempt(() => openDraft(process)))) navigate(`/studio/${process}/draft`)
  }
  return (
    <>
      <PageHeader
        title={title}
        about={
          <>
            <span>{t('platform.studio.owned-by', { names: owners.join(', ') || t('platform.studio.no-owner') })}</span>
            {draft && (
              <span>
                {draft.lockedBy
                  ? t('platform.studio.draft-held', { name: draft.lockedBy })
                  : t('platform.studio.draft-last-saved', { name: draft.savedBy, at: moment(draft.savedAt) })}
              </span>
            )}
          </>
        }
      />
      {waiting && (
        <Alert
          className={css['waiting'] ?? ''}
          type="info"
          showIcon
          title={t('platform.studio.waits-for', { name: waiting.proposedBy, at: moment(waiting.proposedAt) })}
          description={<q>{waiting.note}</q>}
          action={
            <span className={css['buttons']}>
              <Link href={`/studio/${process}/compare?to=proposal`} className={css['linked']}>
                {t('platform.studio.see-proposal')}
              </Link>
              {!waiting.mine && (
                <Button type="primary" size="small" onClick={() => setAsked({ what: 'accept', id: waiting.id })}>
                  {t('platform.studio.accept')}
                </Button>
              )}
              <Button size="small" onClick={() => setAsked({ what: 'refuse', id: waiting.id })}>
                {waiting.mine ? t('platform.studio.take-back') : t('platform.studio.refuse')}
              </Button>
            </span>
          }
        />
      )}
      {waiver && (
        <Alert
          className={css['waiting'] ?? ''}
          type="info"
          showIcon
          title={t('platform.studio.waiver-waits', { name: waiver.askedBy, at: moment(waiver.askedAt) })}
          description={<q>{waiver.reason}</q>}
          action={
            <span className={css['buttons']}>
              {!waiver.mine && (
                <Button type="primary" size="small" onClick={() => setAsked({ what: 'waiver-confirm', id: waiver.id })}>
                  {t('platform.studio.waiver-confirm')}
                </Button>
              )}
              <Button size="small" onClick={() => setAsked({ what: 'waiver-refuse', id: waiver.id })}>
                {t(waiver.mine ? 'platform.studio.waiver-take-back' : 'platform.studio.waiver-refuse')}
              </Button>
            </span>
          }
        />
      )}
      {moving.map(({ id, from, to }) => (
        <Alert
          key={id}
          className={css['waiting'] ?? ''}
          type="info"
          showIcon
          title={t('platform.studio.moving-now')}
          action={
            <Link href={withQuery(`/studio/${process}/migrate`, { from, to, run: id })} className={css['linked']}>
              {t('platform.studio.moving-see')}
            </Link>
          }
        />
      ))}
      <div className={page.acts}>
        <Button type="primary" onClick={() => void edit()}>
          {draft ? t('platform.studio.continue') : t('platform.studio.edit')}
        </Button>
        {draft && (
          <Button onClick={() => navigate(`/studio/${process}/compare?to=draft`)}>
            {t('platform.studio.compare-draft')}
          </Button>
        )}
        <Button onClick={() => navigate(`/studio/${process}/heat`)}>{t('platform.studio.heat')}</Button>
        {draft && <Button onClick={() => setAsked({ what: 'drop' })}>{t('platform.studio.drop')}</Button>}
      </div>
      <Versions model={model} onRollBack={(version) => setAsked({ what: 'roll-back', version })} />
      <section>
        <h2>{t('platform.studio.approval')}</h2>
        <SecondOwner model={model} onWaive={() => setAsked({ what: 'waive' })} />
      </section>
      {asked && <Ask model={model} asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function SecondOwner({ model, onWaive }: { model: StudioModel; onWaive(): void }) {
  const { process, secondOwner, mayAskWaiver, waiver } = model
  const { t } = useTexts()
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  const set = async (wanted: boolean) => {
    if (!wanted) return onWaive()
    setBusy(true)
    await attempt(() => askSecondOwner(process))
    setBusy(false)
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the switch inside it is the control */}
      <label className={css['switch']}>
        <Switch
          checked={secondOwner}
          loading={busy}
          disabled={secondOwner && (!mayAskWaiver || waiver !== null)}
          onChange={(wanted) => void set(wanted)}
        />
        <span>{t('platform.studio.second-owner')}</span>
      </label>
      {secondOwner && <p className={css['soft']}>{t('platform.studio.second-owner-two')}</p>}
    </>
  )
}
