import { withQuery, asFilters, request } from '../../kernel/client/client.ts'
import type {
  CountStock,
  DecideStockReduction,
  ListStock,
  ListStockMovements,
} from '../../kernel/client/operations.generated.ts'

/** A thing in stock, with its batches. */
export type Shelf = ListStock['answer']['items'][number]
export type Batch = Shelf['batches'][number]
/** A reduction that waits for a second person. */
export type Waiting = NonNullable<Batch['waits']>
export type Stock = ListStock['answer']
export type Movements = ListStockMovements['answer']

/** What moves stock: each has a form of its own. */
export type Act =
  | { kind: 'receipts' | 'issues'; shelf: Shelf }
  | { kind: 'counts' | 'corrections'; shelf: Shelf; batch: Batch }

const of = (register: string) => `/api/stock/${register}`

export const stockPath = (register: string, search: string, filters: Readonly<Record<string, string>>) =>
  withQuery(of(register), { search: search || undefined, limit: 100, ...asFilters(filters) })

export const movementsPath = (register: string, batch: string) => `${of(register)}/batches/${batch}/movements`

/**
 * Posts a movement; the values are those of its form. With the same key it is posted once, however often it is sent.
 * Answers whether it waits for a second person.
 */
export async function move(
  register: string,
  act: Act,
  values: Record<string, unknown>,
  key: string,
): Promise<CountStock['answer']> {
  const headers = { 'idempotency-key': key }
  if ('batch' in act)
    return request<CountStock['answer']>('POST', `${of(register)}/batches/${act.batch.id}/${act.kind}`, {
      body: values,
      headers,
    })
  await request('POST', `${of(register)}/${act.kind}`, { body: { item: act.shelf.id, ...values }, headers })
  return { waits: false }
}

/** Confirms a reduction of a batch that waits, or drops it with a reason. */
export const decide = (
  register: string,
  batch: string,
  reduction: string,
  body: DecideStockReduction['body'],
): Promise<unknown> => request('POST', `${of(register)}/batches/${batch}/reductions/${reduction}/decision`, { body })
