import { sql } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { Person } from '../../people/persons/person.ts'
import { type NewsOfEntry, pathOf, textAt } from '../../model/definitions/register.ts'
import type { RegistersContext } from './context.ts'
import { listRegisterItems } from './read.ts'
import { visible } from './views.ts'

/** News told at once. */
const MOST = 3

/** An entry that is news today. */
export interface News {
  register: string
  id: string
  title: string
  text: string
  createdAt: string
}

/** What is news today, of the registers with `news` that a person sees; newest first. */
export async function listNews(context: RegistersContext, person: Person, now: Date): Promise<News[]> {
  const found: News[] = []
  for (const [register, definition] of context.library.registers) {
    const { news } = definition
    if (!news || !visible(person, definition)) continue
    const query = { inUse: true, newest: true, limit: MOST, also: isCurrent(news, dayInColombo(now.getTime())) }
    const { items } = await listRegisterItems(context, person, register, query)
    for (const { id, title, data, createdAt } of items)
      found.push({ register, id, title, text: textAt(data, news.text) ?? '', createdAt })
  }
  return found.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, MOST)
}

function isCurrent({ from, until }: NewsOfEntry, today: string) {
  return sql<boolean>`${today} between register_item.data #>> ${pathOf(from)}::text[]
    and register_item.data #>> ${pathOf(until)}::text[]`
}
