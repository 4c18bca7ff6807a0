import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import i18next from 'i18next'
import type { Drawn } from '../../web/platform/features/studio/canvas/parts.ts'
import { adopted } from '../../web/platform/features/studio/model/adopt.ts'
import { differences } from '../../web/platform/features/studio/model/differences.ts'
import { camelCase } from '../../web/platform/features/studio/model/meaning.ts'
import { namingOf, timeInWords } from '../../web/platform/features/studio/model/naming.ts'
import { elementsOf, partOf } from '../../web/platform/features/studio/model/element.ts'
import { promiseInWords } from '../../web/platform/features/studio/model/promise.ts'
import { readBpmn } from '../../web/platform/features/studio/model/read.ts'
import { tableDifferences } from '../../web/platform/features/studio/model/tables.ts'
import { promiseTimersOf } from '../../web/platform/features/studio/modeler/promise-timers.ts'
import { aDesk, aModel } from './fixtures/models.ts'
import { telling } from './fixtures/promise-timers.ts'

const t = (key: string, values: Record<string, unknown> = {}) =>
  [key.replace(/^platform\.studio(-\w+)?\./, ''), ...Object.values(values)].join(' ')
const drawn = (name: string) => readFileSync(join(import.meta.dirname, `../../processes/${name}.bpmn`), 'utf8')
const yearEnd = drawn('vouchers/year-end')
const resignation = drawn('resignations/resignation')

async function between(before: string, after: string) {
  const [old, now] = [await readBpmn(before), await readBpmn(after)]
  return differences(old.definitions, now.definitions, namingOf(undefined, t))
}

test('a model does not differ from itself, nor from itself as the modeler writes it', async () => {
  expect(await between(yearEnd, yearEnd)).toEqual([])
  const { xml, leftOut, renamed } = await adopted(yearEnd, 'year-end')
  expect({ leftOut, renamed }).toEqual({ leftOut: [], renamed: undefined })
  expect(await between(yearEnd, xml)).toEqual([])
  const drawnOnly = yearEnd.replace('isExecutable="true"', 'isExecutable="false"')
  expect(drawnOnly).not.toBe(yearEnd)
  expect((await adopted(drawnOnly, 'year-end')).xml).toBe(xml)
})

test('ambiguous input is refused, also when each attribute has its own line', async () => {
  const lines = (xml: string) => xml.replaceAll(/(<[\w:]+) /g, '$1\n')
  expect((await adopted(lines(yearEnd), 'year-end')).leftOut).toEqual([])
  const [desk] = /<bpmn:userTask id="userTask_approveYearEnd"/.exec(yearEnd)!
  const twice = yearEnd.replace(desk, '<bpmn:userTask id="userTask_approveYearEnd" name="other" />' + desk)
  const strange = yearEnd.replace(desk, '<bpmn:fooTask id="foo" />' + desk)
  for (const written of [(xml: string) => xml, lines]) {
    await expect(adopted(written(twice), 'year-end')).rejects.toThrow('the id is used twice')
    expect((await adopted(written(strange), 'year-end')).leftOut).toEqual(['bpmn:fooTask'])
  }
  for (const declaration of ['encoding="utf8"', "encoding = 'UTF-8'"])
    await adopted(yearEnd.replace('encoding="UTF-8"', declaration), 'year-end')
})

test('each change of a desk, an email, a deadline, a path and a position is described by its meaning', async () => {
  const change = async (from: string | RegExp, to: string, of = yearEnd) => {
    const after = of.replace(from, to)
    expect(after).not.toBe(of)
    return (await between(of, after)).map(({ element, how, changes }) => [
      element,
      how,
      ...changes.map(({ about, before, after: now }) => `${about}: ${before} → ${now}`),
    ])
  }
  const desk = 'userTask_approveYearEnd'
  expect(await change('"Bursar,Deputy Bursar"', '"Bursar"')).toEqual([
    [desk, 'changed', 'offered: Bursar, Deputy Bursar → Bursar'],
  ])
  expect(await change('camunda:dueDate="${workday3}"', 'camunda:dueDate="P14D"')).toEqual([
    [desk, 'changed', 'due: working-days 3 → days 14'],
  ])
  expect(await change('name="status" value="Asked for"', 'name="status" value="Closed"')).toEqual([
    [desk, 'changed', 'status: Asked for → Closed'],
  ])
  expect(await change('"to">requester<', '"to">desk:userTask_approveYearEnd<')).toEqual([
    ['endEvent_rejected', 'changed', 'to: requester → to-desk Approve the end of the year'],
  ])
  expect(await change('P14D</bpmn:timeDuration>', 'P21D</bpmn:timeDuration>', resignation)).toEqual([
    ['boundary_correctionLapsed', 'changed', 'timer: days 14 → days 21'],
  ])
  expect(await change('_outcome = "reject"', '_outcome = "refuse"')).toEqual([
    [
      'flow_rejected',
      'changed',
      'condition: outcome-is Approve the end of the year reject → outcome-is Approve the end of the year refuse',
    ],
  ])
  expect(await change('<dc:Bounds x="1035" y="280"', '<dc:Bounds x="1040" y="280"')).toEqual([
    ['gateway_left', 'moved'],
  ])
  expect(await change('camunda:topic="vouchers.close-year"', 'camunda:topic="vouchers.commit"')).toEqual([
    ['serviceTask_closeVotes', 'changed', 'topic: vouchers.close-year → vouchers.commit'],
  ])
})

test('a changed promise of a desk is described in words', async () => {
  const promising = (properties: Record<string, string>) => {
    const all = Object.entries({ fourEyes: 'requester', ...properties }).map(
      ([name, value]) => `<camunda:property name="${name}" value="${value}"/>`,
    )
    return aModel({ nodes: [aDesk('', `<camunda:properties>${all.join('')}</camunda:properties>`)] })
  }
  const change = async (before: Record<string, string>, after: Record<string, string>) =>
    (await between(promising(before), promising(after))).flatMap(({ changes }) =>
      changes.map(({ about, before: was, after: is }) => `${about}: ${was} → ${is}`),
    )
  expect(await change({ remind: 'workday1' }, { remind: 'workday2', escalate: 'PT28H' })).toEqual([
    'reminder: after working-days 1 → after working-days 2',
    'escalation: null → after hours 28',
  ])
  expect(await change({ escalate: 'P1DT4H', escalateTemplate: 'a.mail.late' }, { escalate: 'workday3' })).toEqual([
    'escalation: after hours 28 → after working-days 3',
    'escalate-mail: a.mail.late → null',
  ])
  const said = (properties: Record<string, string>) => promiseInWords(properties, t)
  expect(said({ remind: 'workday1', escalate: 'P2D' })).toBe('both working-days 1 days 2')
  expect(said({ escalate: 'PT90M' })).toBe('escalate minutes 90')
  expect(said({})).toBeUndefined()
})

test('timers become a promise only if they do nothing but remind and escalate', async () => {
  const found = async (timers: [string, string][], attributes = '') => {
    const ids = timers.map(([timer]) => /boundary_(\w+)/.exec(timer)![1]!)
    const flows = ids.map((id) => `boundary_${id} → endEvent_${id}`)
    const read = await readBpmn(aModel({ nodes: [aDesk(attributes), ...timers.flat()], flows }))
    return promiseTimersOf(asDrawn(elementsOf(read.definitions)))
  }
  const [reminder, late] = [
    telling('waits', { to: 'desk' }),
    telling('late', { to: 'above', after: 'P2D', timer: 'timeDuration' }),
  ]
  expect(await found([reminder, late])).toMatchObject({
    spans: { remind: 'workday1', escalate: 'P2D' },
    mails: { remind: 'instruments.mail.reminder', escalate: 'instruments.mail.late' },
  })
  const asked = telling('asked', { to: 'requester' })
  expect(await found([asked])).toBeUndefined()
  expect((await found([asked], 'camunda:candidateGroups="user:${requesterId}"'))?.spans).toEqual({ remind: 'workday1' })
  const status = '<camunda:properties><camunda:property name="status" value="late"/></camunda:properties>'
  for (const more of [
    { stops: true },
    { within: status },
    { after: 'R3/P1D', timer: 'timeCycle' },
    { after: '${closesAt}' },
    { after: 'P1M', timer: 'timeDuration' },
  ] as const)
    expect((await found([telling('waits', { to: 'desk', ...more }), late]))?.spans).toEqual({ escalate: 'P2D' })
  expect(await found([reminder, telling('again', { to: 'desk', after: '${workday3}' })])).toBeUndefined()
})

/** The desk of a test model as a canvas holds it, with its boundary and following elements. */
function asDrawn(all: ReturnType<typeof elementsOf>): Drawn {
  const shapes = new Map([...all].map(([id, businessObject]) => [id, { businessObject } as Drawn]))
  for (const shape of shapes.values()) Object.assign(shape, { attachers: [], incoming: [], outgoing: [] })
  for (const shape of shapes.values()) {
    const [host, source, target] = ['attachedToRef', 'sourceRef', 'targetRef'].map((end) =>
      shapes.get(partOf(shape.businessObject, end)?.id ?? ''),
    )
    host?.attachers?.push(shape)
    source?.outgoing.push(Object.assign(shape, { source, target }))
    target?.incoming.push(shape)
  }
  return shapes.get('userTask_approve')!
}

test('labels become parts of ids, and times become words', () => {
  expect(camelCase('Approve as Head (HR)')).toBe('approveAsHeadHr')
  expect(camelCase('3 working days')).toBe('workingDays')
  expect(camelCase('අනුමත')).toBe('')
  expect(timeInWords('R3/P1D', t)).toBe('repeated days 1 3')
  expect(timeInWords('PT30M', t)).toBe('minutes 30')
  expect(timeInWords('${closesAt}', t)).toBe('variable closesAt')
})

test('months, years and combined lengths of time are words in each language', async () => {
  const inWords = async (language: string) => {
    const file = join(import.meta.dirname, `../../forms/platform/texts.staff.${language}.json`)
    const texts = i18next.createInstance()
    await texts.init({
      ...{ lng: language, fallbackLng: false, keySeparator: false, nsSeparator: false },
      resources: { [language]: { translation: JSON.parse(readFileSync(file, 'utf8')) } },
      interpolation: { escapeValue: false },
    })
    return ['P2M', 'P1Y', 'P1Y6M', 'P1M2W', 'P1DT12H', 'PT1H30M', 'PT45S', 'R3/P1DT4H', 'P730D', 'P1M365D'].map(
      (value) => timeInWords(value, texts.t),
    )
  }
  expect(await inWords('en')).toEqual([
    ...['2 months', '1 year', '1 year 6 months', '1 month 2 weeks', '1 day 12 hours', '1 hour 30 minutes'],
    ...['45 seconds', '1 day 4 hours, 3 times', '2 years', '1 month 365 days'],
  ])
  expect((await inWords('si')).slice(0, 6)).toEqual([
    ...['මාස 2', 'වසර 1', 'වසර 1 මාස 6', 'මාස 1 සති 2', 'දින 1 පැය 12', 'පැය 1 මිනිත්තු 30'],
  ])
  expect((await inWords('ta')).slice(0, 4)).toEqual([...['2 மாதங்கள்', '1 ஆண்டு', '1 ஆண்டு 6 மாதங்கள்', '1 மாதம் 2 வாரங்கள்']])
  for (const language of ['en', 'si', 'ta'])
    for (const said of await inWords(language)) expect(said).not.toMatch(/platform|P\d|PT/)
  // What is no length of time stays as written.
  for (const value of ['P', 'PT', 'P1H', 'R3/', 'tomorrow']) expect(timeInWords(value, t)).toBe(value)
})

test('differing tables are named, with the old and new text of their rows', () => {
  const rule = (id: string, entry: string, out: string) =>
    `<dmn:rule id="${id}"><dmn:inputEntry id="i${id}"><dmn:text>${entry}</dmn:text></dmn:inputEntry><dmn:inputEntry id="j${id}" /><dmn:outputEntry id="o${id}"><dmn:text>${out}</dmn:text></dmn:outputEntry></dmn:rule>`
  const ruled = (policy: string, key: string, ...rules: string[]) => ({
    key: `tests/${key}.dmn`,
    content: `<dmn:decisionTable id="${key}"${policy}>${rules.join('')}</dmn:decisionTable>`,
  })
  const table = (key: string, ...rules: string[]) => ruled(' hitPolicy="FIRST"', key, ...rules)
  const [small, large] = [rule('small', '&lt; 500', '"Bursar"'), rule('large', '&gt;= 500', '"Registrar"')]
  const before = [
    table('desks', small, large),
    table('order', small, large),
    table('same', small),
    table('left', small),
    table('hidden', small, large),
    table('policy', small),
  ]
  const now = rule('large', '<![CDATA[>= 1000]]>', '"Registrar"')
  const last = rule('last', '-', '&quot;Nobody&quot;')
  const after = [
    table('same', small),
    table('desks', now, last),
    table('order', large, small, last),
    table('made', small),
    table('hidden', '<!-- <![CDATA[ -->', large, `<!-- ${small} -->`),
    ruled('', 'policy', small),
  ]
  expect(tableDifferences(before, after)).toEqual([
    {
      key: 'tests/desks.dmn',
      how: 'changed',
      policy: null,
      rows: [
        { how: 'changed', row: 1, before: '>= 500, – ⇒ "Registrar"', after: '>= 1000, – ⇒ "Registrar"' },
        { how: 'added', row: 2, before: null, after: '-, – ⇒ "Nobody"' },
        { how: 'removed', row: 1, before: '< 500, – ⇒ "Bursar"', after: null },
      ],
    },
    {
      key: 'tests/hidden.dmn',
      how: 'changed',
      policy: null,
      rows: [{ how: 'removed', row: 1, before: '< 500, – ⇒ "Bursar"', after: null }],
    },
    { key: 'tests/left.dmn', how: 'removed', policy: null, rows: [] },
    { key: 'tests/made.dmn', how: 'added', policy: null, rows: [] },
    {
      key: 'tests/order.dmn',
      how: 'changed',
      policy: null,
      rows: [
        { how: 'moved', row: 2, before: '1', after: '< 500, – ⇒ "Bursar"' },
        { how: 'added', row: 3, before: null, after: '-, – ⇒ "Nobody"' },
      ],
    },
    { key: 'tests/policy.dmn', how: 'changed', policy: { before: ['FIRST'], after: ['UNIQUE'] }, rows: [] },
  ])
  expect(tableDifferences(before, before)).toEqual([])
})
