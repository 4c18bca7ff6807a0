import { Button } from 'antd'
import { useState } from 'react'
import { send } from '../../kernel/client/client.ts'
import { Drawing } from '../../kernel/files/picture.tsx'
import { save } from '../../kernel/files/save.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './paper.module.css'
import type { Item } from './registers.ts'

const SIDES = ['front', 'back'] as const

interface PaperProps {
  register: string
  item: Pick<Item, 'id' | 'title' | 'version'>
}

const pathOf = ({ register, item }: PaperProps, file: string) => `/api/registers/${register}/items/${item.id}/${file}`

/** Both sides of the paper of an entry, at their full size where the screen is wide enough. */
export function Paper(of: PaperProps) {
  const { t } = useTexts()
  return (
    <div className={css['sides']}>
      {SIDES.map((side) => (
        <figure key={side}>
          <Drawing
            className={css['side']}
            // An entry that changes is drawn again.
            path={pathOf(of, `paper.svg?side=${side}&version=${of.item.version}`)}
            alt={`${of.item.title}, ${t(`platform.paper.${side}`)}`}
          />
          <figcaption>{t(`platform.paper.${side}`)}</figcaption>
        </figure>
      ))}
    </div>
  )
}

/** Fetches the paper of an entry as a file to print. */
export function PrintPaper(of: PaperProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  const fetch = async () => {
    setBusy(true)
    await attempt(async () => {
      const answer = await send('GET', pathOf(of, 'paper.pdf'), { headers: { accept: 'application/pdf' } })
      save(`${of.item.title}.pdf`, await answer.blob())
    })
    setBusy(false)
  }
  return (
    <Button type="primary" loading={busy} onClick={() => void fetch()}>
      {t('platform.paper.print')}
    </Button>
  )
}
