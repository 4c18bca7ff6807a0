import { Alert, Button, Dropdown, Form, Input, Modal, Switch } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Problem, withQuery } from '../../kernel/client/client.ts'
import {
  answerProposal,
  answerWaiver,
  askSecondOwner,
  askWaiver,
  dropDraft,
  openDraft,
  readVersion,
  rollBack,
  useModels,
  useVersions,
  type ModelVersion,
  type StudioModel,
} from '../../kernel/api/studio.ts'
import { save } from '../../kernel/files/save.ts'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import page from '../../kernel/page/page.module.css'
import table from '../../people/people/people.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAct, useDo } from '../../kernel/states/act.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { NobodyDecides } from './nobody-decides.tsx'
import css from './studio.module.css'

/** One flow: its versions with who, when and why, its draft, and what can be done with them. */
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

type Asked =
  | { what: 'roll-back'; version: ModelVersion }
  | { what: 'drop' }
  | { what: 'waive' }
  | { what: 'accept' | 'refuse' | 'waiver-confirm' | 'waiver-refuse'; id: string }

function Present({ model }: { model: StudioModel }) {
  const { process, title, owners, draft, waiting, waiver, moving } = model
  const { t } = useTexts()
  const { moment } = useFormats()
  const [, navigate] = useLocation()
  const attempt = useDo()
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    document.title = t('platform.page-title', { title })
  }, [t, title])
  const edit = async () => {
    if (draft || (await attempt(() => openDraft(process)))) navigate(`/studio/${process}/draft`)
  }
  return (
    <>
      <h1>{title}</h1>
      <p className={page.about}>
        <span>{t('platform.studio.owned-by', { names: owners.join(', ') || t('platform.studio.no-owner') })}</span>
        {draft && (
          <span>
            {draft.lockedBy
              ? t('platform.studio.draft-held', { name: draft.lockedBy })
              : t('platform.studio.draft-last-saved', { name: draft.savedBy, at: moment(draft.savedAt) })}
          </span>
        )}
      </p>
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
  const attempt = useDo()
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

function Versions({ model, onRollBack }: { model: StudioModel; onRollBack(version: ModelVersion): void }) {
  const { process, running } = model
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const [, navigate] = useLocation()
  const attempt = useDo()
  const { data, error, mutate } = useVersions(process)
  const label = (name: string) => t(`platform.studio-column.${name}`)
  if (!data) return error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={4} />
  if (data.items.length === 0)
    return <Empty title={t('platform.studio.never-deployed')}>{t('platform.studio.never-detail')}</Empty>
  const path = (screen: string, from: string, to: string) =>
    navigate(`/studio/${process}/${screen}?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)
  const keep = ({ definitionId, version }: ModelVersion) =>
    attempt(async () => {
      const { bpmn, dmn } = await readVersion(process, definitionId)
      save(`${process}-${version}.bpmn`, new Blob([bpmn], { type: 'application/xml' }))
      for (const { key, content } of dmn)
        save(key.replace(/^.*\//, ''), new Blob([content], { type: 'application/xml' }))
    })
  return (
    <section>
      <h2>{t('platform.studio.versions')}</h2>
      <table className={table.table}>
        <thead>
          <tr>
            {['version', 'deployed', 'why', 'cases', 'acts'].map((name) => (
              <th key={name} scope="col">
                {name === 'acts' ? <span className="visually-hidden">{label(name)}</span> : label(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.items.map((version, place) => {
            const { definitionId } = version
            const present = definitionId === running?.definitionId
            const earlier = data.items[place + 1]
            return (
              <tr key={definitionId}>
                <td data-label={label('version')}>
                  <div>
                    <strong>{version.version}</strong>
                    {present && <span className={css['present']}>{t('platform.studio.present')}</span>}
                  </div>
                </td>
                <td data-label={label('deployed')}>
                  <div>
                    <span className={css['line']}>{dateTime(version.deployedAt)}</span>
                    <span className={css['soft']}>{version.by ?? t('platform.studio.came-with')}</span>
                    {version.approvedBy && (
                      <span className={css['soft']}>
                        {t('platform.studio.approved-by', { name: version.approvedBy })}
                      </span>
                    )}
                  </div>
                </td>
                <td data-label={label('why')} className={table.long}>
                  {version.note ?? '–'}
                </td>
                <td data-label={label('cases')}>
                  <span>
                    {t('platform.studio.running-count', { count: version.running })}
                    <br />
                    <span className={css['soft']}>{t('platform.studio.ended-count', { count: version.ended })}</span>
                  </span>
                </td>
                <td className={table.do}>
                  {earlier && (
                    <Link
                      href={`/studio/${process}/compare?from=${encodeURIComponent(earlier.definitionId)}&to=${encodeURIComponent(definitionId)}`}
                      className={css['linked']}
                    >
                      {t('platform.studio.compare')}
                    </Link>
                  )}
                  <Dropdown
                    trigger={['click']}
                    menu={{
                      items: [
                        { key: 'keep', label: t('platform.studio.download'), onClick: () => void keep(version) },
                        ...(present || !running
                          ? []
                          : [
                              {
                                key: 'with-present',
                                label: t('platform.studio.compare-present'),
                                onClick: () => path('compare', definitionId, running.definitionId),
                              },
                              {
                                key: 'back',
                                label: t('platform.studio.roll-back'),
                                onClick: () => onRollBack(version),
                              },
                            ]),
                        ...(version.running > 0 && running && !present
                          ? [
                              {
                                key: 'migrate',
                                label: t('platform.studio.migrate'),
                                onClick: () => path('migrate', definitionId, running.definitionId),
                              },
                            ]
                          : []),
                      ],
                    }}
                  >
                    <Button size="small" aria-label={t('platform.studio.more-of', { version: version.version })}>
                      …
                    </Button>
                  </Dropdown>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

interface AskProps {
  model: StudioModel
  asked: Asked
  onClose(): void
}

/** Asks before what cannot be taken back, and why it is done. */
function Ask({ model: { process, title, waiting, waiver }, asked, onClose }: AskProps) {
  const { t } = useTexts()
  const [form] = Form.useForm<{ note: string; meant?: boolean }>()
  const [open, setOpen] = useState(true)
  const [undecided, setUndecided] = useState<readonly string[]>(
    asked.what === 'accept' ? (waiting?.undecided ?? []) : [],
  )
  const { run, busy, refusal } = useAct()
  const version = asked.what === 'roll-back' ? asked.version.version : undefined
  const key =
    asked.what === 'refuse' && waiting?.mine
      ? 'take-back'
      : asked.what === 'waiver-refuse' && waiver?.mine
        ? 'waiver-take-back'
        : asked.what
  const act = async (note: string, meant: boolean) => {
    const word = meant ? ({ nobodyDecides: true } as const) : {}
    if (asked.what === 'roll-back')
      return rollBack(process, { definitionId: asked.version.definitionId, note, ...word })
    if (asked.what === 'drop') return dropDraft(process)
    if (asked.what === 'waive') return askWaiver(process, note)
    if (asked.what === 'waiver-confirm' || asked.what === 'waiver-refuse')
      return answerWaiver(process, asked.id, asked.what === 'waiver-confirm', note)
    return answerProposal(process, asked.id, { accept: asked.what === 'accept', note, ...word })
  }
  return (
    <Modal
      open={open}
      title={t(`platform.studio-ask.${key}`, { title, version })}
      okText={t(`platform.studio.${key}`)}
      okButtonProps={{ loading: busy, danger: asked.what === 'drop' }}
      cancelText={t('platform.cancel')}
      onOk={() => form.submit()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <p className={css['note']}>{t(`platform.studio-ask.${key}-detail`)}</p>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ note, meant }: { note?: string; meant?: boolean }) =>
          void run(async () => {
            try {
              await act(note ?? '', meant === true)
            } catch (error) {
              if (!(error instanceof Problem) || error.code !== 'platform.nobody-decides') throw error
              setUndecided(error.errors.map(({ message }) => message))
              return
            }
            setOpen(false)
          }, form)
        }
      >
        {undecided.length > 0 && <NobodyDecides rows={undecided} />}
        {asked.what !== 'drop' && (
          <Form.Item
            name="note"
            label={t('platform.studio.note')}
            rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
          >
            <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={2000} />
          </Form.Item>
        )}
      </Form>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </Modal>
  )
}
