import { lazy } from 'react'
import type { PageProps } from '../../kernel/screens/page.ts'
import { MyCases } from './my-cases.tsx'

const CasesTable = lazy(() => import('./cases-table.tsx'))

/** The cases of a flow as a table, with `mine` only the reader's own; without a flow these are a plain list. */
export default function Cases(props: PageProps) {
  const { mine, flow } = props.parameters
  return mine === true && flow === undefined ? <MyCases title={props.title} /> : <CasesTable {...props} />
}
