import { Button } from 'antd'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import type { Screen } from '../../kernel/screens/match.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { fieldWithin, registerOf, useRegister, type OwnItem } from './registers.ts'

/** What can be begun for an entry: the pages of these routes that the reader may open. Titles may name the entry. */
export function Leads({ routes, of }: { routes: readonly string[]; of: OwnItem }) {
  const me = useMe()
  return routes.flatMap((route) => {
    // The page may have another name for the id.
    const screen = matchScreen(route)?.screen
    if (!screen || !mayOpen(me, screen)) return []
    const field = fieldWithin(screen.parameters ?? {})
    const lead = <Lead key={route} route={route} screen={screen} of={of} />
    if (screen.parameters?.['create'] !== true || field === undefined) return [lead]
    return [
      <IfAmong
        key={route}
        register={registerOf({ params: {}, parameters: screen.parameters ?? {} })}
        field={field}
        of={of}
        lead={lead}
      />,
    ]
  })
}

/** A page that makes an entry which names this one: only if the field may name it. */
function IfAmong({ register, field, of, lead }: { register: string; field: string; of: OwnItem; lead: ReactElement }) {
  const { data } = useRegister(register)
  if (!data) return null
  const selection = data.item.properties?.[field]?.['x-selection']
  return selection === undefined || of.selections.includes(selection) ? lead : null
}

function Lead({ route, screen, of: { id, title: within } }: { route: string; screen: Screen; of: OwnItem }) {
  const { t } = useTexts()
  return (
    <Link href={route.replace('{id}', encodeURIComponent(id))} asChild>
      {/* The name of an entry may be longer than a phone is wide. */}
      <Button style={{ height: 'auto', whiteSpace: 'normal' }}>{t(screen.title, { within })}</Button>
    </Link>
  )
}
