import { Button } from 'antd'
import { useState } from 'react'
import { MAX_ON_SHEETS } from '../../../../forms/platform/sheets.ts'
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

/** Fetches a file to print. */
function usePrinting(name: string, fetch: () => Promise<Response>) {
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  const print = async () => {
    setBusy(true)
    await attempt(async () => save(`${name}.pdf`, await (await fetch()).blob()))
    setBusy(false)
  }
  return { loading: busy, onClick: () => void print() }
}

const headers = { accept: 'application/pdf' }

/** Fetches the paper of an entry as a file to print. */
export function PrintPaper(of: PaperProps) {
  const { t } = useTexts()
  const printing = usePrinting(of.item.title, () => send('GET', pathOf(of, 'paper.pdf'), { headers }))
  return (
    <Button type="primary" {...printing}>
      {t('platform.paper.print')}
    </Button>
  )
}

/** Fetches the papers of chosen entries on sheets of A4. */
export function PrintSheets({ register, ids }: { register: string; ids: readonly string[] }) {
  const { t } = useTexts()
  const printing = usePrinting(register.replace('/', '-'), () =>
    send('POST', `/api/registers/${register}/sheet.pdf`, { headers, body: { items: ids } }),
  )
  const count = ids.length
  return (
    <div className={css['sheets']}>
      <Button disabled={count === 0 || count > MAX_ON_SHEETS} {...printing}>
        {t('platform.paper.print-sheets', { count })}
      </Button>
      <small>
        {t(count > MAX_ON_SHEETS ? 'platform.paper.too-many' : 'platform.paper.sheets-help', { most: MAX_ON_SHEETS })}
      </small>
    </div>
  )
}
