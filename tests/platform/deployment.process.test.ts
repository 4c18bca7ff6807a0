import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { artifact, jsonArtifact } from '../../api/platform/model/definitions/artifact.ts'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { type DeployDependencies, deployRepositoryModels } from '../../api/platform/model/deployed/deployment.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import { FLOW, type Heart, heart, library } from './fixtures/two-desks.ts'

let one: Heart

beforeAll(async () => {
  one = await heart()
})
afterAll(() => one.close())

function deploy(declared: Library, gate: DeployDependencies['gate'] = async () => undefined) {
  return deployRepositoryModels({ db: one.db, engine: one.engine, library: declared, log: one.log, gate })
}

const version = async () => (await definitionStore(one.db).latest(FLOW)).version

/** The same flow with another description. */
function changed(description: string): Library {
  const flow = library.flows.get(FLOW)!
  return { ...library, flows: new Map([[FLOW, { ...flow, manifest: { ...flow.manifest, description } }]]) }
}

test('unchanged models are neither checked nor deployed again, by any number of nodes', async () => {
  const before = await version()
  const refusing = () => Promise.reject(new Error('checked again'))
  await Promise.all([deploy(library, refusing), deploy(library, refusing), deploy(library, refusing)])
  expect(await version()).toBe(before)
})

test('a changed manifest makes a new version; running cases keep theirs', async () => {
  const before = await definitionStore(one.db).latest(FLOW)
  await Promise.all([deploy(changed('second')), deploy(changed('second'))])
  expect(await version()).toBe(before.version + 1)
  expect((await one.definitions.get(before.id)).manifest.description).toBeUndefined()
})

test('a changed form makes a new version, and freezes the form by its hash', async () => {
  const before = await version()
  const key = 'tests/approval'
  const schema = { ...library.forms.get(key)!.schema, description: 'tests.changed' }
  const forms = new Map([...library.forms, [key, { key, schema, hash: jsonArtifact('form', key, schema).hash }]])
  await deploy({ ...changed('second'), forms })
  const latest = await definitionStore(one.db).latest(FLOW)
  expect(latest.version).toBe(before + 1)
  expect((await one.definitions.form(latest.forms[key]!)).schema).toEqual(schema)
})

test('the engine accepts what the gate passes: an expression language, and an unused signal', async () => {
  const flow = library.flows.get(FLOW)!
  const content = flow.bpmn.content
    .replace('<bpmn:definitions ', '<bpmn:definitions xml:lang="en" ')
    .replace('<bpmn:process ', '<bpmn:signal id="signal_left" name="left"/><bpmn:process xml:lang="si" ')
    .replaceAll('<bpmn:userTask ', '<bpmn:userTask xml:lang="ta" ')
    .replaceAll('<bpmn:sequenceFlow ', '<bpmn:sequenceFlow xml:lang="en-GB" ')
  const flows = new Map([[FLOW, { ...flow, bpmn: artifact('bpmn', flow.bpmn.key, content) }]])
  const before = await version()
  await deploy({ ...library, flows })
  expect(await version()).toBe(before + 1)
})

test('the forms of a diagram with another prefix and other quotes are frozen as well', async () => {
  const flow = library.flows.get(FLOW)!
  const content = flow.bpmn.content
    .replaceAll('xmlns:camunda', 'xmlns:vendor')
    .replaceAll(/(<\/?|\s)camunda:/g, '$1vendor:')
    .replaceAll(/vendor:formKey="([^"]*)"/g, "vendor:formKey='$1'")
  expect(content).not.toContain('camunda:')
  const flows = new Map([[FLOW, { ...flow, bpmn: artifact('bpmn', flow.bpmn.key, content) }]])
  const before = await definitionStore(one.db).latest(FLOW)
  await deploy({ ...library, flows })
  const latest = await definitionStore(one.db).latest(FLOW)
  expect(latest.version).toBe(before.version + 1)
  expect(Object.keys(latest.forms).sort()).toEqual(['tests/approval', 'tests/request'])
})

test('a model that fails the gate stops the start, and nothing is deployed', async () => {
  const before = await version()
  const refusing = async () => {
    throw new Error('userTask_head: there is no role HOD')
  }
  await expect(deploy(changed('third'), refusing)).rejects.toThrow('there is no role HOD')
  expect(await version()).toBe(before)
})

test('an owner’s newer model is kept until the owner deploys nothing newer', async () => {
  const latest = await definitionStore(one.db).latest(FLOW)
  await one.db.updateTable('process_definition').set({ source: 'owner' }).where('id', '=', latest.id).execute()
  await deploy(changed('fourth'))
  expect(await version()).toBe(latest.version)
  await one.db.updateTable('process_definition').set({ source: 'repository' }).where('id', '=', latest.id).execute()
  await deploy(library)
  expect(await version()).toBe(latest.version + 1)
})
