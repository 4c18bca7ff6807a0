import { useRead } from './read.ts'
import type { Flow, FlowOpening, FlowRow, FormRef } from '../client/types.ts'

/** The flows that this person may start or see. */
export const useFlows = () => useRead<{ items: FlowRow[] }>('/api/flows')
export const useFlow = (flow: string | undefined) => useRead<Flow>(flow ? `/api/flows/${flow}` : null)
export const openingOf = (flow: string) => `/api/flows/${flow}/opening`
/** What a flow offers the reader: what can be requested, why not, and waiting tasks. */
export const useOpening = (flow: string | undefined) => useRead<FlowOpening>(flow ? openingOf(flow) : null)
/** A form by its hash, as the case used it. */
export const useForm = (hash: string | undefined) => useRead<FormRef>(hash ? `/api/forms/${hash}` : null)
/** A public form, in its current version. */
export const usePublicForm = (key: string | null) => useRead<FormRef>(key === null ? null : `/api/public/forms/${key}`)
