import { lazy } from 'react'
import type { PageProps } from '../../kernel/screens/page.ts'
import { MyCases } from './my-cases.tsx'

const CasesTable = lazy(() => import('./cases-table.tsx'))

/** The cases of a flow for its desks, as a table; with `mine`, the reader's own as a plain list. */
export default function Cases(props: PageProps) {
  return props.parameters['mine'] === true ? <MyCases title={props.title} /> : <CasesTable {...props} />
}
