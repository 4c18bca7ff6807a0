import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import { choose, deleteView, useInboxChoice, useViews, type View } from '../../kernel/api/inbox.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './queues.module.css'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

export const addressOf = (path: string, { id, query }: View): string => withQuery(path, { ...query, view: id })

/** The saved views, the reader's own and shared ones; each can be made the start view, and own ones changed. */
export function Views({ path, view }: { path: string; view: string | undefined }) {
  const { t } = useTexts()
  const views = useViews().data?.items ?? []
  const start = useInboxChoice().data?.startView
  const [changed, setChanged] = useState<View>()
  if (views.length === 0) return null
  return (
    <section className={css['views']} aria-labelledby="inbox-views">
      <h2 id="inbox-views">{t('platform.inbox.views')}</h2>
      <ul>
        {views.map((each) => (
          <li key={each.id}>
            <Link href={addressOf(path, each)} aria-current={each.id === view ? 'true' : undefined}>
              {each.name}
              {each.id === start && <span>{t('platform.inbox.view.is-start')}</span>}
            </Link>
            <Menu
              of={each}
              path={path}
              shown={each.id === view}
              isStart={each.id === start}
              change={() => setChanged(each)}
            />
          </li>
        ))}
      </ul>
      {changed && (
        <Suspense fallback={null}>
          <ViewDialog key={changed.id} view={changed} query={changed.query} onClose={() => setChanged(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

interface MenuProps {
  of: View
  path: string
  shown: boolean
  isStart: boolean
  change(): void
}

function Menu({ of, path, shown, isStart, change }: MenuProps) {
  const { t } = useTexts()
  const confirm = useConfirm()
  const attempt = useAction()
  const [, navigate] = useLocation()
  const remove = () =>
    confirm({
      title: t('platform.inbox.view.delete-question', { name: of.name }),
      consequence: of.sharedWith ? t('platform.inbox.view.delete-shared', { role: of.sharedWith }) : undefined,
      verb: t('platform.inbox.view.delete'),
      danger: true,
      act: async () => {
        const done = await attempt(() => deleteView(of), t('platform.inbox.view.deleted', { name: of.name }))
        if (done && shown) navigate(withQuery(path, { queue: 'open' }), { replace: true })
      },
    })
  const startWith = (id: string | null) =>
    void attempt(() => choose({ startView: id }), id ? t('platform.inbox.view.starts', { name: of.name }) : undefined)
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          isStart
            ? { key: 'end', label: t('platform.inbox.view.no-start'), onClick: () => startWith(null) }
            : { key: 'start', label: t('platform.inbox.view.start'), onClick: () => startWith(of.id) },
          ...(of.own
            ? [
                { key: 'change', label: t('platform.inbox.view.change'), onClick: change },
                { key: 'delete', label: t('platform.inbox.view.delete'), danger: true, onClick: remove },
              ]
            : []),
        ],
      }}
    >
      <Button
        type="text"
        size="small"
        className={css['menu'] ?? ''}
        icon={<MoreOutlined />}
        aria-label={t('platform.inbox.view.menu', { name: of.name })}
      />
    </Dropdown>
  )
}
