// Made by `node api/platform/http/generate.ts` out of the routes of the API. Not to be edited.

/**
 * RFC 9457
 */
export interface Problem {
  /**
   * `urn:prakriya:problem:<code>`
   */
  type: string
  /**
   * What went wrong, for people
   */
  title: string
  status: number
  detail?: string
  /**
   * Code of the error catalogue
   */
  code: string
  /**
   * What is wrong with which field; fields of a form as JSON pointers
   */
  errors: {
    field: string
    code: string
    message: string
  }[]
  /**
   * Names this request in the logs
   */
  reference?: string
}

/**
 * Puts new data in place of the old; needs If-Match
 */
export interface ChangeItem {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    id: string
    register: string
    version: number
    status: string
    title: string
    data: {
      [k: string]: unknown
    }
    createdAt: string
    changedAt: string
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
    mayChange: boolean
  }
}

/**
 * Takes a task for oneself
 */
export interface ClaimTask {
  params: {
    id: string
  }
  answer: {
    id: string
    caseId: string
    reference: string
    flow: string
    flowTitle: string
    desk: string
    name: string
    /**
     * One line by which people recognise the case
     */
    title: string
    subject: {
      [k: string]: unknown
    }
    requester: {
      id: string
      name: string
    }
    state: 'open' | 'held' | 'accepted' | 'done' | 'void'
    assignee: {
      id: string
      name: string
    } | null
    decidedBy: {
      id: string
      name: string
    } | null
    createdAt: string
    dueAt: string | null
    priority: number
    status: {
      key: string
      text: string
    }
    version: number
  }
}

/**
 * Decides a task: `done`, or `accepted` while the engine catches up
 */
export interface CompleteTask {
  params: {
    id: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
    /**
     * Until then `undo` takes it back
     */
    notBefore?: string
  }
  answer: {
    state: 'done' | 'accepted'
    caseId: string
  }
}

/**
 * How many tasks each queue has
 */
export interface CountTasks {
  answer: {
    open: {
      value: number
      more: boolean
    }
    mine: {
      value: number
      more: boolean
    }
    group: {
      value: number
      more: boolean
    }
  }
}

/**
 * Adds an item
 */
export interface CreateItem {
  params: {
    area: string
    name: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
    status?: string
  }
  answer: {
    id: string
    register: string
    version: number
    status: string
    title: string
    data: {
      [k: string]: unknown
    }
    createdAt: string
    changedAt: string
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
    mayChange: boolean
  }
}

/**
 * A case with what was sent, whom it waits for and its files
 */
export interface GetCase {
  params: {
    id: string
  }
  answer: {
    id: string
    reference: string
    flow: string
    flowTitle: string
    /**
     * One line by which people recognise the case
     */
    title: string
    subject: {
      [k: string]: unknown
    }
    status: {
      key: string
      text: string
    }
    statuses: {
      [k: string]: {
        key: string
        text: string
      }
    }
    state: 'starting' | 'running' | 'ended' | 'failed'
    requester: {
      id: string
      name: string
    }
    scope: {
      [k: string]: string
    }
    facts: {
      [k: string]: unknown
    }
    createdAt: string
    endedAt: string | null
    endReason: string | null
    waitsWith: {
      taskId: string
      desk: string
      name: string
      /**
       * Whom it is offered to, in words
       */
      principals: string[]
      assignee: {
        id: string
        name: string
      } | null
      since: string
      dueAt: string | null
    }[]
    version: number
    processDefinitionId: string
    withdrawable: boolean
    submissions: {
      id: string
      formKey: string
      formHash: string
      data: {
        [k: string]: unknown
      }
      by: {
        id: string
        name: string
      }
      actedAs: string | null
      at: string
      effect: 'pending' | 'done' | 'void'
      voidReason: string | null
      taskId: string | null
      desk: string | null
      outcome: string | null
    }[]
    files: {
      id: string
      name: string
      contentType: string
      size: number
      path: string
      submissionId: string | null
    }[]
  }
}

/**
 * What happened to a case, in words, oldest first
 */
export interface GetCaseHistory {
  params: {
    id: string
  }
  answer: {
    items: {
      at: string
      kind:
        | 'submitted'
        | 'task-created'
        | 'claimed'
        | 'decided'
        | 'status'
        | 'mail'
        | 'worker'
        | 'incident'
        | 'withdrawn'
        | 'ended'
      text: string
      actor?: string
      element?: string
      reason?: string
    }[]
  }
}

/**
 * The way a case took through its diagram, and where it is now
 */
export interface GetCasePath {
  params: {
    id: string
  }
  answer: {
    definitionId: string
    visited: {
      element: string
      startedAt: string
      endedAt: string | null
      canceled: boolean
    }[]
    present: string[]
  }
}

/**
 * The people of the demonstration and their password (demonstrations only)
 */
export interface GetDemo {
  answer: {
    password: string
    people: {
      username: string
      name: string
      post: string | null
    }[]
  }
}

/**
 * Stream of hints about lists, cases and tasks of the person who asks; ends with the access token
 */
export interface GetEvents {}

/**
 * The content of a file that is public, is one’s own, or belongs to a case that one may see
 */
export interface GetFile {
  params: {
    id: string
  }
  query: {
    size?: 'small' | 'medium' | 'original'
  }
}

/**
 * A flow with the form that starts it, as of its newest deployed version
 */
export interface GetFlow {
  params: {
    area: string
    flow: string
  }
  answer: {
    flow: string
    title: string
    description?: string
    manifest: {
      [k: string]: unknown
    }
    form: {
      key: string
      hash: string
      schema: {
        [k: string]: unknown
      }
    }
  }
}

/**
 * A form by its hash
 */
export interface GetForm {
  params: {
    hash: string
  }
  answer: {
    key: string
    hash: string
    schema: {
      [k: string]: unknown
    }
  }
}

/**
 * A module whose `check(data)` gives the field errors of the form as the server would
 */
export interface GetFormValidator {
  params: {
    hash: string
  }
}

/**
 * An item; its ETag goes back as If-Match with a change
 */
export interface GetItem {
  params: {
    area: string
    name: string
    id: string
  }
  answer: {
    id: string
    register: string
    version: number
    status: string
    title: string
    data: {
      [k: string]: unknown
    }
    createdAt: string
    changedAt: string
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
    mayChange: boolean
  }
}

/**
 * Answers while the process lives
 */
export interface GetLiveness {
  answer: {
    live: true
  }
}

/**
 * One mail (demonstrations only)
 */
export interface GetMail {
  params: {
    id: string
  }
  answer: {
    id: string
    caseId: string | null
    to: string
    template: string
    subject: string
    body: string
    state: 'pending' | 'sent' | 'failed'
    createdAt: string
    sentAt: string | null
  }
}

/**
 * The person who asks, with what they may act as now
 */
export interface GetMe {
  answer: {
    id: string
    username: string
    name: string
    email: string
    post: string | null
    seesAll: boolean
    grants: {
      role: string
      scope: {
        kind: string
        id: string
        name: string
      } | null
    }[]
    /**
     * Permission groups
     */
    groups: string[]
  }
}

/**
 * Figures for Prometheus: from this machine, or for ADMIN and SA
 */
export interface GetMetrics {}

/**
 * One deployed version
 */
export interface GetProcessDefinition {
  params: {
    id: string
  }
  answer: {
    id: string
    flow: string
    processKey: string
    version: number
    deployedAt: string
  }
}

/**
 * The diagram of one deployed version
 */
export interface GetProcessDefinitionXml {
  params: {
    id: string
  }
}

/**
 * One public item
 */
export interface GetPublicItem {
  params: {
    area: string
    name: string
    id: string
  }
  answer: {
    id: string
    register: string
    version: number
    status: string
    title: string
    data: {
      [k: string]: unknown
    }
    createdAt: string
    changedAt: string
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
  }
}

/**
 * Whether database, engine and event feed are there
 */
export interface GetReadiness {
  answer: {
    ready: boolean
    database: boolean
    engine: boolean
    feed: {
      lagMilliseconds: number
      parked: number
    }
  }
}

/**
 * A register with the schema of its items
 */
export interface GetRegister {
  params: {
    area: string
    name: string
  }
  answer: {
    register: string
    /**
     * Text key
     */
    title: string
    titleField: string
    codeField?: string
    statuses: string[]
    search: string[]
    filters: string[]
    columns: string[]
    mayCreate: boolean
    item: {
      [k: string]: unknown
    }
  }
}

/**
 * A task with its form and its case
 */
export interface GetTask {
  params: {
    id: string
  }
  answer: {
    task: {
      id: string
      caseId: string
      reference: string
      flow: string
      flowTitle: string
      desk: string
      name: string
      /**
       * One line by which people recognise the case
       */
      title: string
      subject: {
        [k: string]: unknown
      }
      requester: {
        id: string
        name: string
      }
      state: 'open' | 'held' | 'accepted' | 'done' | 'void'
      assignee: {
        id: string
        name: string
      } | null
      decidedBy: {
        id: string
        name: string
      } | null
      createdAt: string
      dueAt: string | null
      priority: number
      status: {
        key: string
        text: string
      }
      version: number
    }
    case: {
      id: string
      reference: string
      flow: string
      flowTitle: string
      /**
       * One line by which people recognise the case
       */
      title: string
      subject: {
        [k: string]: unknown
      }
      status: {
        key: string
        text: string
      }
      statuses: {
        [k: string]: {
          key: string
          text: string
        }
      }
      state: 'starting' | 'running' | 'ended' | 'failed'
      requester: {
        id: string
        name: string
      }
      scope: {
        [k: string]: string
      }
      facts: {
        [k: string]: unknown
      }
      createdAt: string
      endedAt: string | null
      endReason: string | null
      waitsWith: {
        taskId: string
        desk: string
        name: string
        /**
         * Whom it is offered to, in words
         */
        principals: string[]
        assignee: {
          id: string
          name: string
        } | null
        since: string
        dueAt: string | null
      }[]
      version: number
      processDefinitionId: string
      withdrawable: boolean
      submissions: {
        id: string
        formKey: string
        formHash: string
        data: {
          [k: string]: unknown
        }
        by: {
          id: string
          name: string
        }
        actedAs: string | null
        at: string
        effect: 'pending' | 'done' | 'void'
        voidReason: string | null
        taskId: string | null
        desk: string | null
        outcome: string | null
      }[]
      files: {
        id: string
        name: string
        contentType: string
        size: number
        path: string
        submissionId: string | null
      }[]
    }
    form: {
      key: string
      hash: string
      schema: {
        [k: string]: unknown
      }
    } | null
    question: string | null
    blockedBy: string | null
  }
}

/**
 * Signs in, or trades a refresh token for the next one
 */
export interface GetToken {
  body: {
    grant_type: 'password' | 'refresh_token'
    username?: string
    password?: string
    refresh_token?: string
    client_id?: string
    client_secret?: string
    scope?: string
  }
  answer: {
    access_token: string
    /**
     * Absent for `client_id=web`, which has it in a cookie
     */
    refresh_token?: string
    token_type: 'Bearer'
    expires_in: number
    refresh_expires_in: number
  }
}

/**
 * Holds the slot that the fields of a start form name, for 15 minutes
 */
export interface HoldSlot {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    id: string
    item: string
    from: string
    until: string
    expiresAt: string
  }
}

/**
 * The process variables of a case, as the engine has them
 */
export interface ListCaseVariables {
  params: {
    id: string
  }
  answer: {
    items: {
      name: string
      type: string
      value: string | number | boolean | null
    }[]
  }
}

/**
 * Cases that the person who asks may see, or only their own; the newest first
 */
export interface ListCases {
  query: {
    cursor?: string
    limit?: number
    mine?: boolean
    flow?: string
    status?: string
    search?: string
  }
  answer: {
    items: {
      id: string
      reference: string
      flow: string
      flowTitle: string
      /**
       * One line by which people recognise the case
       */
      title: string
      subject: {
        [k: string]: unknown
      }
      status: {
        key: string
        text: string
      }
      statuses: {
        [k: string]: {
          key: string
          text: string
        }
      }
      state: 'starting' | 'running' | 'ended' | 'failed'
      requester: {
        id: string
        name: string
      }
      scope: {
        [k: string]: string
      }
      facts: {
        [k: string]: unknown
      }
      createdAt: string
      endedAt: string | null
      endReason: string | null
      waitsWith: {
        taskId: string
        desk: string
        name: string
        /**
         * Whom it is offered to, in words
         */
        principals: string[]
        assignee: {
          id: string
          name: string
        } | null
        since: string
        dueAt: string | null
      }[]
      version: number
    }[]
    next: string | null
    count: {
      value: number
      /**
       * There are more than `value`
       */
      more: boolean
    }
  }
}

/**
 * The flows that the person who asks may start
 */
export interface ListFlows {
  answer: {
    items: {
      flow: string
      title: string
      description?: string
      /**
       * Route of the page that starts it
       */
      startPage: string
    }[]
  }
}

/**
 * Holidays from one day to another, both included
 */
export interface ListHolidays {
  query: {
    from?: string
    until?: string
  }
  answer: {
    items: {
      date: string
      name: string
      kind: string
    }[]
  }
}

/**
 * Items by title; `filter.<field>` for the fields that the register filters by
 */
export interface ListItems {
  params: {
    area: string
    name: string
  }
  query: {
    cursor?: string
    limit?: number
    search?: string
    status?: string
  }
  answer: {
    items: {
      id: string
      register: string
      version: number
      status: string
      title: string
      data: {
        [k: string]: unknown
      }
      createdAt: string
      changedAt: string
    }[]
    next: string | null
    count: {
      value: number
      /**
       * There are more than `value`
       */
      more: boolean
    }
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
  }
}

/**
 * Mails to the person who asks, the newest first (demonstrations only)
 */
export interface ListMails {
  query: {
    cursor?: string
    limit?: number
  }
  answer: {
    items: {
      id: string
      caseId: string | null
      to: string
      template: string
      subject: string
      body: string
      state: 'pending' | 'sent' | 'failed'
      createdAt: string
      sentAt: string | null
    }[]
    next: string | null
    count: {
      value: number
      /**
       * There are more than `value`
       */
      more: boolean
    }
  }
}

/**
 * Every deployed version of every flow, the newest of each first
 */
export interface ListProcessDefinitions {
  answer: {
    items: {
      id: string
      flow: string
      processKey: string
      version: number
      deployedAt: string
    }[]
  }
}

/**
 * When an item is taken; without a title it is reserved, and nothing more is said
 */
export interface ListPublicAllocations {
  query: {
    item: string
    from: string
    until: string
  }
  answer: {
    items: {
      id: string
      title: string | null
      from: string
      until: string
      state: 'hold' | 'claimed' | 'final'
    }[]
  }
}

/**
 * Items that the register shows to the public, with the fields it shows
 */
export interface ListPublicItems {
  params: {
    area: string
    name: string
  }
  query: {
    cursor?: string
    limit?: number
    search?: string
    status?: string
  }
  answer: {
    items: {
      id: string
      register: string
      version: number
      status: string
      title: string
      data: {
        [k: string]: unknown
      }
      createdAt: string
      changedAt: string
    }[]
    next: string | null
    count: {
      value: number
      /**
       * There are more than `value`
       */
      more: boolean
    }
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
  }
}

/**
 * The registers that the person who asks may see
 */
export interface ListRegisters {
  answer: {
    items: {
      register: string
      /**
       * Text key
       */
      title: string
      titleField: string
      codeField?: string
      statuses: string[]
      search: string[]
      filters: string[]
      columns: string[]
      mayCreate: boolean
      item: {
        [k: string]: unknown
      }
    }[]
  }
}

/**
 * One queue of the inbox, the newest first; `filter.<field>` for what the forms mark with x-filter
 */
export interface ListTasks {
  query: {
    cursor?: string
    limit?: number
    queue?: 'open' | 'mine' | 'group'
    flow?: string
    status?: string
    desk?: string
    search?: string
    sort?: 'created'
  }
  answer: {
    items: {
      id: string
      caseId: string
      reference: string
      flow: string
      flowTitle: string
      desk: string
      name: string
      /**
       * One line by which people recognise the case
       */
      title: string
      subject: {
        [k: string]: unknown
      }
      requester: {
        id: string
        name: string
      }
      state: 'open' | 'held' | 'accepted' | 'done' | 'void'
      assignee: {
        id: string
        name: string
      } | null
      decidedBy: {
        id: string
        name: string
      } | null
      createdAt: string
      dueAt: string | null
      priority: number
      status: {
        key: string
        text: string
      }
      version: number
    }[]
    next: string | null
    count: {
      value: number
      /**
       * There are more than `value`
       */
      more: boolean
    }
  }
}

/**
 * Ends the session of the refresh token in the cookie or the body; unknown ones change nothing
 */
export interface Logout {
  body: {
    refresh_token?: string
  } | null
}

/**
 * Gives an own hold up
 */
export interface ReleaseHold {
  params: {
    id: string
  }
}

/**
 * Gives a task that one has taken back to all it was offered to
 */
export interface ReleaseTask {
  params: {
    id: string
  }
  answer: {
    id: string
    caseId: string
    reference: string
    flow: string
    flowTitle: string
    desk: string
    name: string
    /**
     * One line by which people recognise the case
     */
    title: string
    subject: {
      [k: string]: unknown
    }
    requester: {
      id: string
      name: string
    }
    state: 'open' | 'held' | 'accepted' | 'done' | 'void'
    assignee: {
      id: string
      name: string
    } | null
    decidedBy: {
      id: string
      name: string
    } | null
    createdAt: string
    dueAt: string | null
    priority: number
    status: {
      key: string
      text: string
    }
    version: number
  }
}

/**
 * Puts an item into another of its register's statuses: items are deactivated, never deleted
 */
export interface SetItemStatus {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    status: string
  }
  answer: {
    id: string
    register: string
    version: number
    status: string
    title: string
    data: {
      [k: string]: unknown
    }
    createdAt: string
    changedAt: string
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
    mayChange: boolean
  }
}

/**
 * Begins a case
 */
export interface SubmitCase {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    id: string
    reference: string
    flow: string
    flowTitle: string
    /**
     * One line by which people recognise the case
     */
    title: string
    subject: {
      [k: string]: unknown
    }
    status: {
      key: string
      text: string
    }
    statuses: {
      [k: string]: {
        key: string
        text: string
      }
    }
    state: 'starting' | 'running' | 'ended' | 'failed'
    requester: {
      id: string
      name: string
    }
    scope: {
      [k: string]: string
    }
    facts: {
      [k: string]: unknown
    }
    createdAt: string
    endedAt: string | null
    endReason: string | null
    waitsWith: {
      taskId: string
      desk: string
      name: string
      /**
       * Whom it is offered to, in words
       */
      principals: string[]
      assignee: {
        id: string
        name: string
      } | null
      since: string
      dueAt: string | null
    }[]
    version: number
    processDefinitionId: string
    withdrawable: boolean
    submissions: {
      id: string
      formKey: string
      formHash: string
      data: {
        [k: string]: unknown
      }
      by: {
        id: string
        name: string
      }
      actedAs: string | null
      at: string
      effect: 'pending' | 'done' | 'void'
      voidReason: string | null
      taskId: string | null
      desk: string | null
      outcome: string | null
    }[]
    files: {
      id: string
      name: string
      contentType: string
      size: number
      path: string
      submissionId: string | null
    }[]
  }
}

/**
 * Takes an own decision back that was made with `notBefore` and has not been sent yet
 */
export interface UndoTask {
  params: {
    id: string
  }
  answer: {
    id: string
    caseId: string
    reference: string
    flow: string
    flowTitle: string
    desk: string
    name: string
    /**
     * One line by which people recognise the case
     */
    title: string
    subject: {
      [k: string]: unknown
    }
    requester: {
      id: string
      name: string
    }
    state: 'open' | 'held' | 'accepted' | 'done' | 'void'
    assignee: {
      id: string
      name: string
    } | null
    decidedBy: {
      id: string
      name: string
    } | null
    createdAt: string
    dueAt: string | null
    priority: number
    status: {
      key: string
      text: string
    }
    version: number
  }
}

/**
 * Stores a file; its id then stands in the form that it belongs to
 */
export interface UploadFile {
  body: {
    form?: string
    register?: string
    field?: string
    file: string
  }
  answer: {
    id: string
    name: string
    contentType: string
    size: number
  }
}

/**
 * Ends an own case, as long as its diagram allows that
 */
export interface WithdrawCase {
  params: {
    id: string
  }
  body: {
    reason: string
  }
  answer: {
    id: string
    reference: string
    flow: string
    flowTitle: string
    /**
     * One line by which people recognise the case
     */
    title: string
    subject: {
      [k: string]: unknown
    }
    status: {
      key: string
      text: string
    }
    statuses: {
      [k: string]: {
        key: string
        text: string
      }
    }
    state: 'starting' | 'running' | 'ended' | 'failed'
    requester: {
      id: string
      name: string
    }
    scope: {
      [k: string]: string
    }
    facts: {
      [k: string]: unknown
    }
    createdAt: string
    endedAt: string | null
    endReason: string | null
    waitsWith: {
      taskId: string
      desk: string
      name: string
      /**
       * Whom it is offered to, in words
       */
      principals: string[]
      assignee: {
        id: string
        name: string
      } | null
      since: string
      dueAt: string | null
    }[]
    version: number
    processDefinitionId: string
    withdrawable: boolean
    submissions: {
      id: string
      formKey: string
      formHash: string
      data: {
        [k: string]: unknown
      }
      by: {
        id: string
        name: string
      }
      actedAs: string | null
      at: string
      effect: 'pending' | 'done' | 'void'
      voidReason: string | null
      taskId: string | null
      desk: string | null
      outcome: string | null
    }[]
    files: {
      id: string
      name: string
      contentType: string
      size: number
      path: string
      submissionId: string | null
    }[]
  }
}
