import { type Rule, jsonOf } from './product.ts'

const page = 'docs/dependencies.md'

/** The page explains every package, and no removed one. */
const packagesAreExplained: Rule = (product) => {
  const { dependencies, devDependencies, optionalDependencies } = jsonOf<Record<string, Record<string, string>>>(
    product,
    'package.json',
  )
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const explained = [...product.text(page).matchAll(/^\| `([^`]+)` \| \S/gm)].map((match) => match[1]!)
  return [
    ...used
      .filter((name) => !explained.includes(name))
      .map((name) => `${page}: it does not explain ${name}: add a line that says why it is needed`),
    ...explained
      .filter((name) => !used.includes(name))
      .map((name) => `${page}: it explains ${name}, which package.json has not: take the line out`),
    ...explained
      .filter((name, index) => explained.indexOf(name) !== index)
      .map((name) => `${page}: it explains ${name} twice: take one line out`),
  ]
}

export const dependencyRules: readonly Rule[] = [packagesAreExplained]
