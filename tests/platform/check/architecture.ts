import { cruise } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'

/** Each import that breaks a rule of `.dependency-cruiser.cjs`, as one line. */
export async function brokenImports(root: string): Promise<string[]> {
  const { options, ...ruleSet } = await extractConfig(`${root}/.dependency-cruiser.cjs`)
  const folders = ['api', 'workers', 'web', 'forms', 'tests', 'bench']
  const { output } = await cruise(folders, { ...options, baseDir: root, ruleSet, validate: true })
  if (typeof output === 'string') throw new Error(output)
  if (output.summary.totalDependenciesCruised === 0) throw new Error('no import was found, so no rule was held')
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
}
