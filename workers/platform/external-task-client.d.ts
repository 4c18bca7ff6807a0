/** The part of camunda-external-task-client-js 3.1.0 that the harness uses; the package has no types. */
declare module 'camunda-external-task-client-js' {
  import type { EventEmitter } from 'node:events'

  export interface LockedTask {
    id: string
    topicName: string
    activityId: string
    businessKey: string | null
    processInstanceId: string
    processDefinitionId: string
    processDefinitionKey: string
    retries: number | null
    variables: { get(name: string): unknown }
  }

  interface GotOptions {
    headers?: Record<string, string>
    [option: string]: unknown
  }

  export interface ClientOptions {
    baseUrl: string
    workerId: string
    maxTasks: number
    maxParallelExecutions: number
    interval: number
    lockDuration: number
    asyncResponseTimeout: number
    autoPoll: boolean
    usePriority: boolean
    sorting: { sortBy: string; sortOrder: string }[]
    /** Receives and returns the options of `got`. */
    interceptors: (options: GotOptions) => GotOptions
  }

  export class Client extends EventEmitter {
    static readonly SortBy: { readonly CreateTime: string }
    static readonly SortOrder: { readonly ASC: string; readonly DESC: string }
    readonly options: ClientOptions
    constructor(options: ClientOptions)
    subscribe(
      topic: string,
      options: { variables: string[]; withoutTenantId: true },
      handler: (work: { task: LockedTask }) => Promise<void>,
    ): void
    start(): void
    stop(): void
  }
}
