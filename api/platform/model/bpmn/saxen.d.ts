declare module 'saxen' {
  export class Parser {
    on(event: 'error' | 'warn', handler: (problem: Error) => void): this
    on(event: 'openTag', handler: (name: string, attributes: () => Record<string, string>) => void): this
    on(event: 'closeTag', handler: (name: string) => void): this
    on(event: 'text' | 'cdata' | 'attention' | 'question', handler: (content: string) => void): this
    parse(xml: string): void
  }
}
