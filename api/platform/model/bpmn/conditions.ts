import { parseExpression } from 'feelin'
import { type SyntaxNode, childrenOf } from './expressions.ts'

/** A value as far as it is known: `null` is missing, `undefined` may be anything. */
export type Known = string | number | boolean | null | undefined

/** A literal that a condition compares a variable with: the whole value, or a part of it. */
export interface Asked {
  variable: string
  literal: string
  as: 'whole' | 'part'
}

/** What is known where a condition is evaluated. */
export interface Knowledge {
  value(variable: string): Known
  /** Whether a text equals or contains a literal, if that is known although the text is not. */
  says?(variable: string, literal: string): boolean | undefined
}

/** The literals of a condition that the gate has accepted. */
export function asksOf(condition: string): Asked[] {
  const asked: Asked[] = []
  const visit = (node: SyntaxNode): void => {
    const call = contained(node, condition)
    if (call) asked.push({ ...call, as: 'part' })
    const names = node.name === 'Comparison' ? childrenOf(node).filter(({ name }) => name === 'VariableName') : []
    for (const name of names)
      for (const literal of literalsIn(node, condition))
        asked.push({ variable: textOf(name, condition), literal, as: 'whole' })
    for (const child of childrenOf(node)) visit(child)
  }
  visit(rootOf(condition))
  return asked
}

/** Whether a condition holds; undefined if that is not known. */
export function holds(condition: string, known: Knowledge): boolean | undefined {
  const answer = evaluate(rootOf(condition), condition, known)
  return answer === undefined ? undefined : answer === true
}

/** The value of a literal text, number or boolean; undefined for other expressions. */
export function fixedValue(expression: string): string | number | boolean | null | undefined {
  return evaluate(rootOf(expression), expression, { value: () => undefined })
}

/** As the engine evaluates it: a missing value makes a comparison null, which is not true. */
function evaluate(node: SyntaxNode | undefined, text: string, known: Knowledge): Known {
  switch (node?.name) {
    case 'Expression':
    case 'ParenthesizedExpression': {
      const inner = childrenOf(node).filter(({ name }) => name !== '(' && name !== ')')
      return inner.length === 1 ? evaluate(inner[0], text, known) : undefined
    }
    case 'Conjunction':
    case 'Disjunction':
      return evaluateJunction(node, text, known)
    case 'FunctionInvocation':
      return evaluateInvocation(node, text, known)
    case 'Comparison':
      return evaluateComparison(node, text, known)
    case 'VariableName':
      return known.value(textOf(node, text))
    case 'StringLiteral':
      return literalOf(node, text)
    case 'NumericLiteral':
      return Number(textOf(node, text).replace(/\s/g, ''))
    case 'BooleanLiteral':
      return textOf(node, text) === 'true'
    case 'NullLiteral':
      return null
    default:
      return undefined
  }
}

function evaluateJunction(node: SyntaxNode, text: string, known: Knowledge): Known {
  const [left, , right] = childrenOf(node)
  const answers = [evaluate(left, text, known), evaluate(right, text, known)]
  const decisive = node.name === 'Disjunction'
  if (answers.includes(decisive)) return decisive
  return answers.includes(undefined) ? undefined : answers.every((one) => one === !decisive) ? !decisive : null
}

function evaluateInvocation(node: SyntaxNode, text: string, known: Knowledge): Known {
  const call = contained(node, text)
  if (call) {
    const whole = known.value(call.variable)
    if (whole === undefined) return known.says?.(call.variable, call.literal)
    return typeof whole === 'string' ? whole.includes(call.literal) : null
  }
  const negated = /^not\s*\(/.test(textOf(node, text)) ? parametersOf(node) : []
  const answer = negated.length === 1 ? evaluate(negated[0], text, known) : undefined
  return typeof answer === 'boolean' ? !answer : answer === undefined ? undefined : null
}

function evaluateComparison(node: SyntaxNode, text: string, known: Knowledge): Known {
  const [left, operator, right, ...more] = childrenOf(node)
  if (operator?.name !== 'CompareOp' || more.length > 0) return undefined
  const sign = textOf(operator, text)
  const answer = compare(evaluate(left, text, known), sign, evaluate(right, text, known))
  if (answer !== undefined || sign !== '=' || left?.name !== 'VariableName' || right?.name !== 'StringLiteral')
    return answer
  const literal = literalOf(right, text)
  return literal === undefined ? undefined : known.says?.(textOf(left, text), literal)
}

function compare(left: Known, operator: string, right: Known): Known {
  if (left === undefined || right === undefined) return undefined
  if (operator === '=') return left === right
  if (operator === '!=') return left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return null
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left >= right
  }
}

/** `contains(variable, "part")`. */
function contained(node: SyntaxNode, text: string): { variable: string; literal: string } | undefined {
  if (node.name !== 'FunctionInvocation' || !/^contains\s*\(/.test(textOf(node, text))) return undefined
  const [variable, part] = parametersOf(node)
  const literal = part?.name === 'StringLiteral' ? literalOf(part, text) : undefined
  return variable?.name === 'VariableName' && literal !== undefined
    ? { variable: textOf(variable, text), literal }
    : undefined
}

function parametersOf(call: SyntaxNode): SyntaxNode[] {
  return childrenOf(call)
    .filter(({ name }) => name === 'PositionalParameters')
    .flatMap(childrenOf)
    .filter(({ name }) => name !== ',')
}

function literalsIn(node: SyntaxNode, text: string): string[] {
  const own = node.name === 'StringLiteral' ? literalOf(node, text) : undefined
  return own === undefined ? childrenOf(node).flatMap((child) => literalsIn(child, text)) : [own]
}

/** Undefined for literals with a backslash, which no desk's id contains. */
function literalOf(node: SyntaxNode, text: string): string | undefined {
  const written = textOf(node, text)
  return written.includes('\\') ? undefined : written.slice(1, -1)
}

/** Parsed conditions: each is evaluated once for every answer of a table. */
const roots = new Map<string, SyntaxNode>()
const MAX_ROOTS = 2000

function rootOf(text: string): SyntaxNode {
  const known = roots.get(text)
  if (known) return known
  if (roots.size >= MAX_ROOTS) roots.clear()
  const root = parseExpression(text, {}, undefined).topNode
  roots.set(text, root)
  return root
}

function textOf(node: SyntaxNode, text: string): string {
  return text.slice(node.from, node.to)
}
