import { wordsOf } from '../../model/library/words.ts'
import { rupees } from '../../kernel/rupees.ts'
import type { Decision, Engine, VariableInstance } from '../../kernel/engine/port.ts'
import { cachePromise } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { type XmlElement, descendants, parseXml } from '../../model/bpmn/xml.ts'

/** A name with its value, both in words. */
interface NamedValue {
  name: string
  value: string
}

/** A row of a decision table that matched. */
interface DecisionRow {
  inputs: NamedValue[]
  outputs: NamedValue[]
  /** The description of the row. */
  rule: string | null
}

/** Inputs and outputs of a decision table, in words. */
export interface DescribedDecision {
  name: string
  rows: DecisionRow[]
}

/** Describes the results of decision tables. Parsed tables are cached: deployed ones never change. */
export function decisionWords({ library, engine }: { library: Library; engine: Pick<Engine, 'decisionXml'> }) {
  const tables = new Map<string, Promise<XmlElement>>()

  return {
    /** One decision in a case of this flow; `amount` names the variable that holds money. */
    async tell(
      made: Decision,
      { flow, amount }: { flow: string; amount: string | undefined },
      language?: Language,
    ): Promise<DescribedDecision> {
      const words = wordsOf(library, language)
      const [area] = flow.split('/')
      const told = (part: string, otherwise: string | null) =>
        library.texts[language ?? 'en'][`${area}.decision.${made.key}${part}`] ?? otherwise
      const table = await cachePromise(tables, made.definitionId, async () =>
        parseXml(await engine.decisionXml(made.definitionId)),
      )
      const money = columnsOf(table, amount)
      const inFull = (id: string, value: VariableInstance['value']) =>
        typeof value === 'number' && money.includes(id) ? rupees(value) : inWords(value, words, language)
      const named = ({ id, name, value }: { id: string; name: string | null; value: VariableInstance['value'] }) => ({
        name: told(`.${id}`, name) ?? id,
        value: told(`.${id}.${String(value).replaceAll(' ', '-')}`, null) ?? inFull(id, value),
      })
      // The engine returns the columns in any order.
      const columns = descendants(table).map(({ attributes }) => attributes.get('id'))
      const inOrder = <T extends { id: string }>(some: readonly T[]) =>
        some.toSorted((a, b) => columns.indexOf(a.id) - columns.indexOf(b.id))
      const rows = Map.groupBy(made.outputs, ({ rule }) => rule)
      return {
        name: told('', made.name) ?? made.key,
        rows: [...rows].map(([rule, outputs]) => ({
          inputs: inOrder(made.inputs).map(named),
          outputs: inOrder(outputs).map(named),
          rule: rule === null ? null : told(`.${rule}`, descriptionOf(table, rule)),
        })),
      }
    },
  }
}

/** The description of a row in a table. */
function descriptionOf(table: XmlElement, rule: string): string | null {
  const row = descendants(table).find(({ name, attributes }) => name === 'dmn:rule' && attributes.get('id') === rule)
  return row?.children.find(({ name }) => name === 'dmn:description')?.text.trim() ?? null
}

/** The columns of a table that read a variable. */
function columnsOf(table: XmlElement, variable: string | undefined): string[] {
  return descendants(table)
    .filter(({ name, children }) => name === 'dmn:input' && children.some((child) => readsOnly(child, variable)))
    .map(({ attributes }) => attributes.get('id') ?? '')
}

function readsOnly(expression: XmlElement, variable: string | undefined): boolean {
  return expression.name === 'dmn:inputExpression' && expression.children.some(({ text }) => text.trim() === variable)
}

function inWords(value: VariableInstance['value'], { text }: ReturnType<typeof wordsOf>, language?: Language): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return text(value ? 'platform.yes' : 'platform.no')
  return typeof value === 'number' ? new Intl.NumberFormat(language ?? 'en').format(value) : value
}
