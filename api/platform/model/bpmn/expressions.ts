import { parseExpression, parseUnaryTests } from 'feelin'

/** The variables that an expression reads, or why it is outside the permitted grammar. */
export type Reading = { variables: string[]; comparisons: Comparison[] } | { refused: string }

/** `variable = "literal"` in a condition. */
export interface Comparison {
  variable: string
  literal: string
}

const identifier = '[A-Za-z_][A-Za-z0-9_]*'
const one = new RegExp(`^\\$\\{(${identifier})\\}$`)
const each = new RegExp(`\\$\\{(${identifier})\\}`, 'g')
const holds = new RegExp(`^contains\\s*\\(\\s*${identifier}\\s*,\\s*"[^"\\\\]*"\\s*\\)$`)
const list = new RegExp(`^\\$\\{csv\\.list\\((${identifier})\\)\\}$`)

/** A variable name that both the engine and FEEL accept. */
export const variableName = new RegExp(`^${identifier}$`)

/** Whether the engine would evaluate a part of the text. */
export function isExpression(text: string): boolean {
  return /[$#]\{/.test(text)
}

/** Reads `${identifier}`, alone or inside a literal. */
export function readTemplate(text: string): Reading {
  const literal = text.replace(each, '')
  if (isExpression(literal) || /[${}]/.test(literal))
    return { refused: `${quoted(text)} is no expression of the form \${identifier}` }
  return { variables: [...text.matchAll(each)].flatMap(([, variable]) => variable ?? []), comparisons: [] }
}

/** Reads `${identifier}` alone. */
export function readIdentifier(text: string): Reading {
  const [, variable] = one.exec(text) ?? []
  return variable !== undefined
    ? { variables: [variable], comparisons: [] }
    : { refused: `${quoted(text)} is no expression of the form \${identifier}` }
}

/** Reads the collection of a multi-instance activity: `${csv.list(identifier)}`. */
export function readList(text: string): Reading {
  const [, variable] = list.exec(text) ?? []
  return variable !== undefined
    ? { variables: [variable], comparisons: [] }
    : { refused: `${quoted(text)} is no expression of the form \${csv.list(identifier)}` }
}

/** Reads a condition: FEEL of the form `(…) = true`, so that a missing variable reads as false. */
export function readCondition(text: string): Reading {
  const read = readFeel(text, 'expression')
  if ('refused' in read) return read
  const [comparison, ...others] = childrenOf(parseExpression(text, {}, undefined).topNode)
  const [inner, sign, value, ...more] = comparison?.name === 'Comparison' ? childrenOf(comparison) : []
  const written = (node: SyntaxNode | undefined) => node && text.slice(node.from, node.to)
  const wrapped =
    others.length === 0 &&
    more.length === 0 &&
    inner?.name === 'ParenthesizedExpression' &&
    written(sign) === '=' &&
    written(value) === 'true'
  return wrapped ? read : { refused: `the condition ${quoted(text)} is not of the form (…) = true` }
}

/** Permitted FEEL: comparisons and their combinations. Calculations are policy and belong in DMN. */
const comparing = new Set([
  ...['Expression', 'UnaryTests', 'PositiveUnaryTests', 'PositiveUnaryTest', 'Wildcard', 'ParenthesizedExpression'],
  ...['Comparison', 'Conjunction', 'Disjunction', 'CompareOp', 'Interval', 'List', 'VariableName', 'Identifier'],
  ...['StringLiteral', 'NumericLiteral', 'BooleanLiteral', 'NullLiteral', 'DateTimeLiteral', 'DateTimeConstructor'],
  ...['SimplePositiveUnaryTest', 'FunctionInvocation', 'PositionalParameters', 'ArithmeticExpression', 'ArithOp'],
  ...['and', 'or', 'not', 'in', 'between', 'null', '(', ')', '[', ']', '..', ',', '-'],
  ...['date', 'time', 'duration', 'AtLiteral', 'AtConstructor'],
])

/** Keeps conditions readable, and parsing fast. */
const longest = 1000

/** Parses the subset of FEEL that models may use. */
export function readFeel(text: string, as: 'expression' | 'tests'): Reading {
  if (text.length > longest) return { refused: `${quoted(text)} is longer than ${longest} characters` }
  const tree = as === 'tests' ? parseUnaryTests(text, {}, undefined) : parseExpression(text, {}, undefined)
  const variables = new Set<string>()
  const comparisons: Comparison[] = []
  let refused: string | undefined
  tree.iterate({
    enter(node) {
      const content = text.slice(node.from, node.to)
      if (node.type.isError) refused ??= `${quoted(text)} is not FEEL`
      else if (!comparing.has(node.name)) refused ??= `${quoted(text)} uses ${node.name}, which models may not`
      if (node.name === 'FunctionInvocation' && !/^not\s*\(/.test(content) && !holds.test(content))
        refused ??= `${quoted(text)} calls a function other than not() and contains(variable, "literal")`
      if (node.name === 'ArithmeticExpression' && !/^-\s*[\d.]+$/.test(content))
        refused ??= `${quoted(text)} calculates; limits and policies belong into a decision table`
      if (node.name === 'VariableName' && node.node.parent?.name === 'FunctionInvocation') return
      if (node.name === 'VariableName') {
        variables.add(content)
        if (!variableName.test(content)) refused ??= `${quoted(content)} is no name of a variable`
      }
      if (node.name === 'Comparison') {
        const [, variable, literal] = new RegExp(`^(${identifier})\\s*=\\s*"([^"\\\\]*)"$`).exec(content) ?? []
        if (variable !== undefined && literal !== undefined) comparisons.push({ variable, literal })
      }
    },
  })
  return refused === undefined ? { variables: [...variables], comparisons } : { refused }
}

/** The children of a syntax node. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child)
  return children
}

/** A node of the FEEL syntax tree. */
export type SyntaxNode = ReturnType<typeof parseExpression>['topNode']

function quoted(text: string): string {
  return `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`
}
