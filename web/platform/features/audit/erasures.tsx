import { App, Button } from 'antd'
import { useState } from 'react'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { confirmErasure, refuseErasure, useErasures, type Erasure } from '../../kernel/api/audit.ts'
import { Act } from '../../people/people/act.tsx'
import { HowItStands } from '../../people/people/how-it-stands.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'

/** Requests to erase personal details: those that wait for the head of audit, and past decisions. */
export function Erasures() {
  const { t } = useTexts()
  const { data, error, mutate } = useErasures()
  const [refusing, setRefusing] = useState<Erasure>()
  const label = (name: string) => t(`platform.erasures.${name}`)
  return (
    <>
      <h2>{label('title')}</h2>
      <p className={css.lead}>{label('lead')}</p>
      {!data ? (
        error ? (
          <Trouble error={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton lines={3} />
        )
      ) : data.items.length === 0 ? (
        <p className={css.soft}>{label('none')}</p>
      ) : (
        <DataTable
          rows={data.items}
          keyOf={(each) => each.id}
          columns={[
            { label: label('person'), cell: (each) => each.person.name },
            { label: label('why'), cell: (each) => <span>{each.reason}</span>, long: true },
            {
              label: label('state'),
              cell: (each) => (
                <div>
                  <HowItStands erasure={each} />
                  {each.state === 'asked' && data.mayDecide && <Decide erasure={each} onRefuse={setRefusing} />}
                </div>
              ),
            },
          ]}
        />
      )}
      {refusing && (
        <Act
          title={t('platform.erasures.refuse-title', { name: refusing.person.name })}
          ok={label('refuse')}
          onClose={() => setRefusing(undefined)}
          send={async ({ reason }) => {
            await refuseErasure(refusing.id, reason)
            return label('refused')
          }}
        />
      )}
    </>
  )
}

function Decide({ erasure, onRefuse }: { erasure: Erasure; onRefuse(erasure: Erasure): void }) {
  const { t } = useTexts()
  const me = useMe()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const attempt = useAction()
  const { id, person } = erasure
  // Nobody decides on the erasure of their own details.
  if (person.id === me.id) return null
  const erase = () =>
    confirm({
      title: t('platform.erasures.confirm-title', { name: person.name }),
      consequence: t('platform.erasures.confirm-detail', { name: person.name }),
      verb: t('platform.erasures.confirm'),
      danger: true,
      act: () =>
        attempt(async () => {
          const { erased } = await confirmErasure(id)
          void message.success(t('platform.erasures.confirmed', { count: erased ?? 0 }))
        }),
    })
  return (
    <div className={css.decide}>
      <Button size="small" danger onClick={erase}>
        {t('platform.erasures.confirm')}
      </Button>
      <Button size="small" onClick={() => onRefuse(erasure)}>
        {t('platform.erasures.refuse')}
      </Button>
    </div>
  )
}
