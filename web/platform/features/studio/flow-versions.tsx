import { Button, Dropdown } from 'antd'
import { Link, useLocation } from 'wouter'
import { readVersion, useVersions, type ModelVersion, type StudioModel } from '../../kernel/api/studio.ts'
import { save } from '../../kernel/files/save.ts'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useAction } from '../../kernel/states/act.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { modelFile } from './model/file.ts'
import css from './studio.module.css'

export function Versions({ model, onRollBack }: { model: StudioModel; onRollBack(version: ModelVersion): void }) {
  const { process, running } = model
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const [, navigate] = useLocation()
  const attempt = useAction()
  const { data, error, mutate } = useVersions(process)
  const label = (name: string) => t(`platform.studio-column.${name}`)
  if (!data) return error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={4} />
  if (data.items.length === 0)
    return <Empty title={t('platform.studio.never-deployed')}>{t('platform.studio.never-detail')}</Empty>
  const isPresent = ({ definitionId }: ModelVersion) => definitionId === running?.definitionId
  const path = (screen: string, from: string, to: string) =>
    navigate(`/studio/${process}/${screen}?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)
  const keep = ({ definitionId, version }: ModelVersion) =>
    attempt(async () => {
      const { bpmn, dmn } = await readVersion(process, definitionId)
      save(`${process}-${version}.bpmn`, modelFile(bpmn))
      for (const { key, content } of dmn) save(key.replace(/^.*\//, ''), modelFile(content))
    })
  return (
    <section>
      <h2>{t('platform.studio.versions')}</h2>
      <DataTable
        rows={data.items.map((version, place) => ({ ...version, earlier: data.items[place + 1] }))}
        keyOf={({ definitionId }) => definitionId}
        columns={[
          {
            label: label('version'),
            cell: (version) => (
              <div>
                <strong>{version.version}</strong>
                {isPresent(version) && <span className={css['present']}>{t('platform.studio.present')}</span>}
              </div>
            ),
          },
          {
            label: label('deployed'),
            cell: (version) => (
              <div>
                <span className={css['line']}>{dateTime(version.deployedAt)}</span>
                <span className={css['soft']}>{version.by ?? t('platform.studio.came-with')}</span>
                {version.approvedBy && (
                  <span className={css['soft']}>{t('platform.studio.approved-by', { name: version.approvedBy })}</span>
                )}
              </div>
            ),
          },
          { label: label('why'), cell: ({ note }) => note ?? '–', long: true },
          {
            label: label('cases'),
            cell: (version) => (
              <span>
                {t('platform.studio.running-count', { count: version.running })}
                <br />
                <span className={css['soft']}>{t('platform.studio.ended-count', { count: version.ended })}</span>
              </span>
            ),
          },
          {
            label: label('acts'),
            acts: true,
            cell: ({ earlier, ...version }) => (
              <>
                {earlier && (
                  <Link
                    href={`/studio/${process}/compare?from=${encodeURIComponent(earlier.definitionId)}&to=${encodeURIComponent(version.definitionId)}`}
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
                      ...(isPresent(version) || !running
                        ? []
                        : [
                            {
                              key: 'with-present',
                              label: t('platform.studio.compare-present'),
                              onClick: () => path('compare', version.definitionId, running.definitionId),
                            },
                            {
                              key: 'back',
                              label: t('platform.studio.roll-back'),
                              onClick: () => onRollBack(version),
                            },
                          ]),
                      ...(version.running > 0 && running && !isPresent(version)
                        ? [
                            {
                              key: 'migrate',
                              label: t('platform.studio.migrate'),
                              onClick: () => path('migrate', version.definitionId, running.definitionId),
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
              </>
            ),
          },
        ]}
      />
    </section>
  )
}
