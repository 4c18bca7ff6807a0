declare module 'bpmnlint/lib/linter.js' {
  export interface Report {
    id?: string
    message: string
    category: string
  }
  export default class Linter {
    constructor(options: {
      resolver: { resolveRule(pkg: string, name: string): unknown; resolveConfig(pkg: string, name: string): unknown }
    })
    lint(definitions: unknown, config: { rules: Record<string, string> }): Promise<Record<string, Report[]>>
  }
}

declare module 'bpmnlint/rules/*' {
  const rule: () => { check: unknown }
  export default rule
}
