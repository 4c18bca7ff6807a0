import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import type { GateContext } from '../../api/platform/model/bpmn/context.ts'
import { decisionsOf, gateDecisions } from '../../api/platform/model/bpmn/decisions/decisions.ts'
import { gate } from '../../api/platform/model/bpmn/gate/gate.ts'
import { graphOf } from '../../api/platform/model/bpmn/graph.ts'
import { panelWords } from '../../api/platform/model/bpmn/panel-words.ts'
import { type Problem, processesOf, readModel } from '../../api/platform/model/bpmn/read.ts'
import { gateModel, problemsOf } from '../../api/platform/model/bpmn/checking/repository-models.ts'
import { lessSeparate, separationOf } from '../../api/platform/model/bpmn/separation.ts'
import { UnreadableModel } from '../../api/platform/model/bpmn/xml.ts'
import { hostileModels, rateTable, stages } from './fixtures/hostile-models.ts'
import { aDesk, aModel, aStep, context, end, start } from './fixtures/models.ts'

const root = join(import.meta.dirname, '../..')
/** Milliseconds for the repository's largest model: hostile ones take at most a few times as long. */
let usual = 0

beforeAll(async () => {
  const library = loadLibrary(root)
  const largest = [...library.flows.values()].sort((a, b) => b.bpmn.content.length - a.bpmn.content.length)[0]!
  await problemsOf(largest, library)
  usual = await quickest(3, () => problemsOf(largest, library))
})

/** Milliseconds of the fastest of several runs, so that other load of the machine does not count. */
async function quickest(times: number, run: () => Promise<unknown>): Promise<number> {
  let best = Infinity
  for (let left = times; left > 0; left--) {
    const began = performance.now()
    await run()
    best = Math.min(best, performance.now() - began)
  }
  return best
}

async function problems(xml: string, given: Partial<GateContext> = {}): Promise<Problem[]> {
  try {
    return gate(await readModel(xml), { ...context, ...given })
  } catch (error) {
    if (error instanceof UnreadableModel) return [{ element: 'definitions', reason: error.message }]
    throw error
  }
}

const reasons = async (xml: string, given: Partial<GateContext> = {}) =>
  (await problems(xml, given)).map(({ element, reason }) => `${element}: ${reason}`)

const status = (value: string, name = 'status') =>
  `<camunda:properties><camunda:property name="${name}" value="${value}"/></camunda:properties>`

describe('a hostile model is refused, with its element and a reason, and blocks nothing', () => {
  test.each(hostileModels)('$name', async ({ xml, element, reason, given }) => {
    let found: Problem[] = []
    const look = async () => (found = await problems(xml, given))
    const first = await quickest(1, look)
    if (first >= 20 * usual) expect(await quickest(2, look)).toBeLessThan(20 * usual)
    expect(found.filter((one) => one.element === element).map((one) => one.reason)).toEqual(
      expect.arrayContaining([expect.stringMatching(reason)]),
    )
  })
})

test('reasons use the names shown in the studio’s panel', () => {
  const shown = Object.entries(loadLibrary(root).texts.en).filter(([key]) => key.startsWith('platform.studio-fact.'))
  expect(shown.map(([, words]) => words)).toEqual(expect.arrayContaining(Object.values(panelWords)))
})

test('a desk without an assignee is reported once, and so is an unknown role', async () => {
  const offered = (to: string) => aModel({ nodes: [aDesk(`camunda:candidateGroups="${to}"`)] })
  const held = new Set<string>()
  expect(await reasons(offered(''), { held })).toEqual(['userTask_approve: Offered to: name a role, or the requester'])
  expect(await reasons(offered('Nobody'), { held })).toEqual(['userTask_approve: Offered to: there is no role Nobody'])
})

describe('a model that passes', () => {
  test('has a desk and a step', async () => {
    expect(await reasons(aModel({ nodes: [aDesk(), aStep()] }))).toEqual([])
  })

  test('uses everything that is allowed', async () => {
    const xml = aModel({
      nodes: [
        aDesk(
          'camunda:dueDate="${workday3}" camunda:priority="70"',
          '<camunda:properties><camunda:property name="status" value="requested"/><camunda:property name="fourEyes" value="requester"/></camunda:properties>',
        ),
        '<bpmn:intermediateCatchEvent id="event_day" name="A day later">…<bpmn:timerEventDefinition id="timer_day"><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>',
        aStep(
          'camunda:asyncBefore="true"',
          '<camunda:inputOutput><camunda:inputParameter name="text">worth ${value} since ${lentOnEarlier}</camunda:inputParameter></camunda:inputOutput>',
        ).replace('${lentOnEarlier}', '${caseId}'),
        '<bpmn:callActivity id="callActivity_inspect" name="Inspect" calledElement="inspection"><bpmn:extensionElements><camunda:in businessKey="${caseId}"/><camunda:in source="caseId" target="caseId"/><camunda:out source="condition" target="condition"/></bpmn:extensionElements>…<bpmn:multiInstanceLoopCharacteristics isSequential="true" camunda:collection="${csv.list(lentOn)}" camunda:elementVariable="one"/></bpmn:callActivity>',
      ],
    })
    expect(await reasons(xml)).toEqual([])
  })

  test('is every one of the repository', async () => {
    const library = loadLibrary(root)
    for (const model of [...library.flows.values(), ...library.schedules.values()])
      expect([model.key, await problemsOf(model, library)]).toEqual([model.key, []])
  })
})

describe('a desk promise', () => {
  const promising = (properties: Record<string, string>) => {
    const list = Object.entries({ fourEyes: 'requester', ...properties }).map(
      ([name, value]) => `<camunda:property name="${name}" value="${value}"/>`,
    )
    return `<camunda:properties>${list.join('')}</camunda:properties>`
  }
  const mails = new Set(['instruments.mail.reminder', 'instruments.mail.escalation', 'instruments.mail.other'])
  const said = async (properties: Record<string, string>, given: Partial<GateContext> = { mails }) =>
    (await problems(aModel({ nodes: [aDesk('', promising(properties))] }), given)).map(({ reason }) => reason)

  test.each([
    [{ remind: 'workday1', escalate: 'workday3' }],
    [{ remind: 'PT4H', escalate: 'P2DT12H' }],
    [{ escalate: 'workday60' }],
    [{ remind: 'workday1', remindTemplate: 'instruments.mail.other' }],
    [{ remind: 'PT1M', escalate: 'P365D' }],
  ])('may be %j', async (properties) => {
    expect(await said(properties)).toEqual([])
  })

  const unreadable = 'neither workday1 to workday60 nor a duration in days, hours and minutes such as P2D or PT4H'
  test.each<[Record<string, string>, string]>([
    [{ remind: 'soon' }, `Remind after: “soon” is ${unreadable}`],
    [{ remind: 'workday0' }, `Remind after: “workday0” is ${unreadable}`],
    [{ escalate: 'workday61' }, `Escalate after: “workday61” is ${unreadable}`],
    [{ remind: '-P1D' }, `Remind after: “-P1D” is ${unreadable}`],
    [{ remind: 'P1M' }, `Remind after: “P1M” is ${unreadable}`],
    [{ remind: '' }, `Remind after: “” is ${unreadable}`],
    [{ remind: 'P0D' }, 'Remind after: P0D is no time at all'],
    [{ escalate: 'P366D' }, 'Escalate after: P366D is more than a year'],
    [{ remind: 'workday3', escalate: 'workday3' }, 'Escalate after: workday3 is not later than workday3: remind first'],
    [{ remind: 'P2D', escalate: 'PT6H' }, 'Escalate after: PT6H is not later than P2D: remind first'],
    [{ remindTemplate: 'instruments.mail.other' }, 'Email of the reminder: Remind after does not say when'],
    [
      { escalate: 'workday3', escalateTemplate: 'instruments.mail.none' },
      'Email of the escalation: there is no mail instruments.mail.none',
    ],
  ])('is refused where it is %j', async (properties, reason) => {
    expect(await said(properties)).toEqual([reason])
  })

  test('is an email of its area, and only desks have one', async () => {
    expect(await said({ remind: 'workday1' }, { mails: new Set() })).toEqual([
      'Email of the reminder: there is no mail instruments.mail.reminder',
    ])
    const step = aModel({ nodes: [aStep('', status('workday1', 'remind'))] })
    expect(await reasons(step)).toEqual(['serviceTask_lend: Remind after: only desks say it'])
  })
})

describe('other vocabularies hide nothing else', () => {
  const foreign = 'xmlns:tool="http://tool.example"'
  const whole = 'definitions: it uses the unknown vocabulary http://tool.example'

  test.each<[string, (xml: string) => string, string[]]>([
    [
      'declared on a nested element, beside a name that it gives',
      (xml) => xml.replace('name="Approve"', `name="\${value}" ${foreign} tool:rank="1"`),
      [
        whole,
        'userTask_approve: Label: expressions are not evaluated here and not allowed',
        'userTask_approve: {http://tool.example}:rank: not allowed on bpmn:userTask',
      ],
    ],
    [
      'as the vocabulary of what has no prefix',
      (xml) =>
        xml.replace(
          '<bpmn:extensionElements>',
          '<bpmn:extensionElements><note xmlns="http://tool.example"><rank/></note>',
        ),
      [whole, 'userTask_approve: {http://tool.example}:note: not allowed in bpmn:extensionElements'],
    ],
    [
      'under a prefix that is one of ours elsewhere',
      (xml) =>
        xml.replace(
          'name="Approve"',
          'name="Approve" xmlns:camunda="http://activiti.org/bpmn" camunda:delegateExpression="${x}"',
        ),
      [
        'definitions: it uses the unknown vocabulary http://activiti.org/bpmn',
        ...['candidateGroups', 'formKey', 'delegateExpression'].map(
          (name) => `userTask_approve: {http://activiti.org/bpmn}:${name}: not allowed on bpmn:userTask`,
        ),
        'userTask_approve: {http://activiti.org/bpmn}:properties: not allowed in bpmn:extensionElements',
      ],
    ],
    ['that is declared and not used', (xml) => xml.replace('name="Approve"', `name="Approve" ${foreign}`), [whole]],
  ])('%s', async (_what, change, expected) => {
    const found = await reasons(change(aModel({ nodes: [aDesk()] })))
    expect(found.sort()).toEqual(expected.sort())
  })

  test('and an expression language may be declared', async () => {
    const said = (language: string) => aModel({ nodes: [aDesk(`xml:lang="${language}"`)] })
    expect(await reasons(said('si-LK'))).toEqual([])
    expect(await reasons(said('${x}'))).toEqual(['userTask_approve: xml:lang: this is not a language such as en or si'])
    // Where the engine, which validates against the BPMN schema, would reject it.
    const [drawn, documented] = [
      said('en').replace('<dc:Bounds', '<dc:Bounds xml:lang="en"'),
      said('en').replace('<bpmn:incoming', '<bpmn:documentation xml:lang="en">Why</bpmn:documentation><bpmn:incoming'),
    ]
    expect(await reasons(drawn)).toEqual(['startEvent_asked_di: xml:lang: not allowed on dc:Bounds'])
    expect(await reasons(documented)).toEqual(['userTask_approve: xml:lang: not allowed on bpmn:documentation'])
  })

  test.each([
    ['another prefix for what xml alone means', 'xmlns:x="http://www.w3.org/XML/1998/namespace"'],
    ['xml for something else', 'xmlns:xml="http://camunda.org/schema/1.0/bpmn"'],
    ['xmlns itself', 'xmlns:xmlns="http://camunda.org/schema/1.0/bpmn"'],
    ['a prefix for nothing', 'xmlns:camunda=""'],
    ['an address that repeats itself in each name', `xmlns:x="http://${'x'.repeat(200)}"`],
  ])('but %s makes a file unreadable', async (_what, declared) => {
    const found = await reasons(aModel({ nodes: [aDesk(declared)] }))
    expect(found).toEqual([expect.stringMatching(/^definitions: the file cannot be read: /)])
  })
})

test('a signal without an event does no harm; an event that uses one is refused', async () => {
  const beside = '<bpmn:signal id="signal_left" name="left"/>'
  expect(await reasons(aModel({ nodes: [aDesk()], beside }))).toEqual([])
  const signalled = start.replace('…', '…<bpmn:signalEventDefinition id="definition_x" signalRef="signal_left"/>')
  const xml = aModel({ nodes: [aDesk()], beside }).replace(
    '</bpmn:startEvent>',
    signalled.slice(signalled.indexOf('…') + 1),
  )
  expect(await reasons(xml)).toEqual([expect.stringMatching(/areas meet by messages/)])
})

describe('paths that do not multiply', () => {
  const joined = (id: string) => `<bpmn:parallelGateway id="${id}">…</bpmn:parallelGateway>`
  const met = (id: string) => `<bpmn:exclusiveGateway id="${id}">…</bpmn:exclusiveGateway>`
  const asked = (id: string) => aDesk().replace('userTask_approve', id)

  test.each([
    ['forks that are joined', stages(100, joined)],
    ['a few that are not', stages(9, met)],
    ['forks that meet at desks, where people go on one by one', stages(30, asked)],
    ['decisions, of which one way is taken', stages(100, met, (id) => met(id).replace('>', ' name="Which?">'))],
  ])('%s', async (_what, xml) => {
    expect((await reasons(xml)).filter((reason) => reason.includes('multiply'))).toEqual([])
  })
})

describe('a flow refers only to its own area and the platform', () => {
  const library = loadLibrary(root)
  const flow = library.flows.get('resignations/resignation')!

  test.each([
    ['forms', 'formKey="resignations/check"', 'formKey="vouchers/pay"', 'there is no form vouchers/pay'],
    ['topics', 'topic="platform.issue-document"', 'topic="vouchers.pay"', 'there is no topic vouchers.pay'],
    [
      'what the platform does for some flows only',
      'topic="platform.issue-document"',
      'topic="platform.change-record"',
      'there is no topic platform.change-record',
    ],
    ['mails', '>resignations.mail.left<', '>vouchers.mail.returned<', 'there is no mail vouchers.mail.returned'],
    ['errors', '="resignations.rejected"', '="vouchers.rejected"', 'vouchers.rejected is an error of another area'],
  ])('%s', async (_what, from, to, reason) => {
    const content = flow.bpmn.content.replace(from, to)
    expect(content).not.toBe(flow.bpmn.content)
    const found = await problemsOf({ ...flow, bpmn: { ...flow.bpmn, content } }, library)
    expect(found.map((one) => one.reason)).toContain(reason)
  })
})

test('places are taken, and waited for, exactly where the manifest declares them', async () => {
  const library = loadLibrary(root)
  const flow = library.flows.get('courses-public/course-application')!
  const found = async (content: string, manifest = flow.manifest) =>
    (await problemsOf({ ...flow, manifest, bpmn: { ...flow.bpmn, content } }, library)).map(({ reason }) => reason)
  const { content } = flow.bpmn
  const { places: _places, ...without } = flow.manifest
  expect(await found(content, without)).toContain('the flow says nowhere whose places platform.take-place takes')
  const other = content.replaceAll('platform.take-place', 'platform.next-working-day')
  expect(await found(other)).toContain('no step takes a place by platform.take-place (places)')
  const unheard = content.replace('messageRef="message_placeFreed"', 'messageRef="message_bookerConfirmed"')
  expect(await found(unheard)).toContain('nothing waits for the message message_placeFreed (places)')
})

test('a fee is posted where the case has one, and the manifest says who pays it', async () => {
  const library = loadLibrary(root)
  const flow = library.flows.get('year-renewals/year-renewal')!
  const found = async (content: string, manifest = flow.manifest) =>
    (await problemsOf({ ...flow, manifest, bpmn: { ...flow.bpmn, content } }, library)).map(({ reason }) => reason)
  const { content } = flow.bpmn
  expect(await found(content)).toEqual([])
  const { paysWith: _paysWith, ...without } = flow.manifest
  expect(await found(content, without)).toEqual([
    'the flow says nowhere that its requester pays what platform.take-fee posts',
  ])
  expect(await found(content.replace('>/subject/fee<', '>/subject/price<'))).toEqual([
    'the subject of the flow has no price, which platform.take-fee posts',
  ])
})

describe('restrictions on who decides stay as shipped', () => {
  const library = loadLibrary(root)
  const flow = library.flows.get('vouchers/payment-voucher')!
  const found = async (change: (xml: string) => string) => {
    const content = change(flow.bpmn.content)
    expect(content).not.toBe(flow.bpmn.content)
    const all = await problemsOf({ ...flow, bpmn: { ...flow.bpmn, content } }, library)
    return all.map(({ element, reason }) => `${element}: ${reason}`)
  }
  const less = (desk: string, other: string) =>
    expect.stringMatching(
      `^${desk}: the person who decided at “${other}” could decide here as well: “Not to be decided by” must name it`,
    )

  test('at a desk that names fewer', async () => {
    expect(await found((xml) => xml.replace(/value="requester,[^"]*,userTask_settle"/, 'value="requester"'))).toEqual(
      expect.arrayContaining([less('userTask_pay', 'Confirm'), less('userTask_pay', 'Certify')]),
    )
  })

  test('and each problem names who is missing, so that adding them all solves it', async () => {
    const naming = async (names: string) => {
      const content = flow.bpmn.content.replace(/value="requester,[^"]*,userTask_settle"/, `value="${names}"`)
      return problemsOf({ ...flow, bpmn: { ...flow.bpmn, content } }, library)
    }
    const missing = (await naming('')).flatMap(({ element, apartFrom }) => (apartFrom ? [[element, apartFrom]] : []))
    expect(missing.length).toBeGreaterThan(10)
    expect(missing).toEqual(
      expect.arrayContaining(['requester', 'userTask_certify'].map((one) => ['userTask_pay', one])),
    )
    expect(await naming(missing.map(([, one]) => one).join(','))).toEqual([])
  })

  test('at a desk redrawn under another id, by its form', async () => {
    const renamed = (xml: string) => xml.replaceAll(/\buserTask_pay\b/g, 'userTask_payNow')
    expect((await found(renamed)).filter((told) => told.includes('Not to be decided by'))).toEqual([])
    const cut = (xml: string) => renamed(xml).replace(/value="requester,[^"]*,userTask_settle"/, 'value="requester"')
    expect(await found(cut)).toContainEqual(less('userTask_payNow', 'Certify'))
  })

  test('and after a desk that was redrawn', async () => {
    const redrawn = (xml: string) =>
      xml.replaceAll(/,userTask_certify(?=[,"])/g, '').replaceAll(/\buserTask_certify(?=["_<])/g, 'userTask_certifyNow')
    expect(await found(redrawn)).toContainEqual(less('userTask_pay', 'Certify'))
  })

  test('in any order of the desks, also in parallel', async () => {
    const aDeskOf = (id: string, eyes = 'requester') =>
      aDesk('', status(eyes, 'fourEyes')).replace('id="userTask_approve"', `id="userTask_${id}"`)
    const both = ['Both', 'Joined'].map(
      (name) => `<bpmn:parallelGateway id="gateway_${name}" name="${name}">…</bpmn:parallelGateway>`,
    )
    const beside = (...desks: string[]) =>
      aModel({
        nodes: [start, both[0]!, ...desks, both[1]!, end],
        flows: [
          'startEvent_asked → gateway_Both',
          ...['pay', 'certify'].flatMap((id) => [`gateway_Both → userTask_${id}`, `userTask_${id} → gateway_Joined`]),
          'gateway_Joined → endEvent_done',
        ],
      })
    const graph = async (xml: string) => graphOf(processesOf((await readModel(xml)).definitions)[0]!)
    const floor = separationOf(
      await graph(aModel({ nodes: [aDeskOf('certify'), aDeskOf('pay', 'requester,userTask_certify')] })),
    )
    const missing = async (xml: string) => lessSeparate(await graph(xml), floor).map(({ element }) => element)
    expect(await missing(aModel({ nodes: [aDeskOf('pay'), aDeskOf('certify')] }))).toEqual(['userTask_certify'])
    expect(await missing(beside(aDeskOf('pay'), aDeskOf('certify')))).toEqual(['userTask_pay', 'userTask_certify'])
    const apart = beside(aDeskOf('pay', 'requester,userTask_certify'), aDeskOf('certify', 'requester,userTask_pay'))
    expect([await missing(apart), await reasons(apart)]).toEqual([[], []])
  })

  test('and a model that keeps or extends them passes', async () => {
    for (const one of library.flows.values()) {
      const content = one.bpmn.content.replace('</bpmn:definitions>', '\n</bpmn:definitions>')
      const all = await problemsOf({ ...one, bpmn: { ...one.bpmn, content } }, library)
      expect([one.key, content === one.bpmn.content, all]).toEqual([one.key, false, []])
    }
  })

  test('and no flow calls a flow that it did not call before', async () => {
    const called =
      '<bpmn:callActivity id="userTask_pay" name="Again" calledElement="payment-voucher"><bpmn:extensionElements><camunda:in businessKey="${caseId}"/><camunda:in source="caseId" target="caseId"/></bpmn:extensionElements>'
    const told = await found((xml) =>
      xml.replace(
        /<bpmn:userTask id="userTask_pay"[\s\S]*?<\/bpmn:extensionElements>([\s\S]*?)<\/bpmn:userTask>/,
        (_whole, flows: string) => `${called}${flows}</bpmn:callActivity>`,
      ),
    )
    expect(told).toContain('userTask_pay: there is no process payment-voucher')
  })
})

describe('a schedule', () => {
  const tidy =
    '<bpmn:serviceTask id="serviceTask_tidy" name="Tidy" camunda:type="external" camunda:topic="platform.tidy">…</bpmn:serviceTask>'
  const timer = (cycle: string) =>
    `<bpmn:timerEventDefinition id="timer_day"><bpmn:timeCycle xsi:type="bpmn:tFormalExpression">${cycle}</bpmn:timeCycle></bpmn:timerEventDefinition>`
  const scheduled = (cycle: string, node = tidy) =>
    aModel({ nodes: [node] }).replace('</bpmn:startEvent>', () => `${timer(cycle)}</bpmn:startEvent>`)
  const topics = new Map([
    ...context.topics,
    ['platform.tidy', { needs: [], gives: [], raises: [], schedule: true as const }],
  ])
  const asSchedule = { topics, schedule: true as const }

  test('starts by the clock, day after day, with steps that need no case', async () => {
    expect(await reasons(scheduled('0 30 6 * * ?'), asSchedule)).toEqual([])
    expect(await reasons(scheduled('0 0/15 8-17 ? * MON-FRI'), asSchedule)).toEqual([])
  })

  test.each([
    ['by no time', scheduled('now and then'), asSchedule, 'timer_day', 'this is not a time of day'],
    ['every second', scheduled('* * * * * ?'), asSchedule, 'timer_day', 'this is not a time of day'],
    ['by an expression', scheduled('${cron}'), asSchedule, 'timer_day', 'this is not a time of day'],
    ['by a request', aModel({ nodes: [tidy] }), asSchedule, 'loan', 'a schedule begins with one timer'],
    ['with a desk', scheduled('0 30 6 * * ?', aDesk()), asSchedule, 'userTask_approve', 'it has no desks'],
    ['with a step for cases', scheduled('0 30 6 * * ?', aStep()), asSchedule, 'serviceTask_lend', 'works for a case'],
    ['as a flow', scheduled('0 30 6 * * ?', aStep()), {}, 'startEvent_asked', 'begins when somebody asks for it'],
    [
      'as a step of a flow',
      aModel({ nodes: [tidy] }),
      { topics },
      'serviceTask_tidy',
      'platform.tidy is for schedules',
    ],
  ])('is refused where it begins %s', async (_how, xml, given, element, reason) => {
    expect(await reasons(xml, given)).toContainEqual(expect.stringMatching(new RegExp(`^${element}: .*${reason}`)))
  })

  test('alone starts at a time of day: an event on the way waits for a duration', async () => {
    const wait = `<bpmn:intermediateCatchEvent id="event_day" name="Morning">…${timer('0 30 6 * * ?')}</bpmn:intermediateCatchEvent>`
    expect(await reasons(aModel({ nodes: [wait] }))).toEqual([
      expect.stringContaining('this is not an ISO 8601 repetition'),
    ])
  })
})

describe('everything a model names exists', () => {
  test.each([
    ['a form', aDesk().replace('instruments/approval', 'instruments/absent'), 'there is no form instruments/absent'],
    ['a role', aDesk('camunda:candidateGroups="Emperor"'), 'Offered to: there is no role Emperor'],
    [
      'a kind of unit',
      aDesk('camunda:candidateGroups="HOD@planet:${planetId}"'),
      'Offered to: there is no kind of unit planet',
    ],
    [
      'a scope',
      aDesk('camunda:candidateGroups="HOD@faculty:${facultyId}"'),
      'Offered to: the flow does not say which faculty a case belongs to',
    ],
    [
      'a principal',
      aDesk('camunda:candidateGroups="user:12"'),
      'Offered to: “user:12” is neither a role nor one that is held for a unit of the case',
    ],
    ['a state', aDesk('', status('eaten')), 'eaten is no state of the list instruments/stage'],
    ['a status list', aDesk('', status('paid', 'status.payment')), 'the flow has no status list payment'],
    ['a property', aDesk('', status('x', 'colour')), 'there is no property colour'],
    [
      'a colleague',
      aDesk('', status('requester,userTask_absent', 'fourEyes')),
      'Not to be decided by: userTask_absent is no desk before',
    ],
    [
      'itself',
      aDesk('', status('requester,userTask_approve', 'fourEyes')),
      'Not to be decided by: “Approve” is no desk before',
    ],
    ['a variable', aDesk('camunda:dueDate="${someday}"'), 'Due after: nothing sets someday before'],
  ])('a desk cannot name %s that is not there', async (_what, desk, reason) => {
    expect(await reasons(aModel({ nodes: [desk] }))).toEqual([expect.stringContaining(`userTask_approve: ${reason}`)])
  })

  test('a message for withdrawing', async () => {
    const manifest = { ...context.manifest, withdraw: 'message_withdraw' }
    expect(await reasons(aModel({ nodes: [aDesk()] }), { manifest })).toEqual([
      'loan: nothing waits for the message message_withdraw (withdraw)',
    ])
  })

  test('a message of an act or of a confirmation, and the form of an act', async () => {
    const act = {
      name: 'extend',
      title: 'instruments.extend',
      message: 'message_extend',
      form: 'instruments/extension',
    }
    const manifest = { ...context.manifest, acts: [act], public: true as const }
    expect(await reasons(aModel({ nodes: [aDesk()] }), { manifest })).toEqual([
      'loan: nothing waits for the message message_bookerConfirmed (public)',
      'loan: nothing waits for the message message_extend (act extend)',
      'loan: there is no form instruments/extension (act extend)',
    ])
  })

  test('a decision and its inputs', async () => {
    const rule = (reference: string) =>
      aModel({
        nodes: [
          `<bpmn:businessRuleTask id="businessRuleTask_rate" name="Rate" camunda:decisionRef="${reference}" camunda:decisionRefBinding="deployment" camunda:resultVariable="rate" camunda:mapDecisionResult="singleEntry">…</bpmn:businessRuleTask>`,
        ],
      })
    expect(await reasons(rule('absent'))).toEqual(['businessRuleTask_rate: there is no decision absent'])
    expect(await reasons(rule('rate'), { decisions: [rateTable('value')] })).toEqual([])
    expect(await reasons(rule('rate'), { decisions: [rateTable('weather')] })).toEqual([
      'businessRuleTask_rate: the decision rate reads weather, which nothing sets before',
    ])
  })
})

describe('who a desk is for', () => {
  const offered = (groups: string) => aModel({ nodes: [aDesk(`camunda:candidateGroups="${groups}"`)] })
  const scope = { department: '/departmentId', 'lender:post': '/instrument#/data/lender' }
  const manifest = { ...context.manifest, scope }

  test('are roles, also in a unit that the manifest names, and the requester', async () => {
    expect(await reasons(offered('HOD@post:${lenderId},Registrar'), { manifest })).toEqual([])
    const answered = offered('user:${requesterId},Registrar').replace('instruments/approval', 'instruments/answer')
    expect(await reasons(answered, { manifest })).toEqual([])
  })

  test('are people that a step before has named, as the flow declares', async () => {
    const topics = new Map([['instruments.lend', { needs: [], gives: ['lenderId'], raises: [] }]])
    const byName = { ...context.manifest, people: { lender: 'instruments.person.lender' } }
    const desk = aDesk('camunda:candidateGroups="user:${lenderId},Registrar"')
    const named = aModel({ nodes: [aStep(), desk] })
    expect(await reasons(named, { manifest: byName, topics })).toEqual([])
    // The flow does not declare them: neither the desk nor the step may name somebody.
    expect(await reasons(named, { topics })).toEqual([
      expect.stringContaining('only the server sets lenderId'),
      expect.stringContaining('the flow does not say that its steps name somebody as ${lenderId}'),
    ])
    expect(await reasons(aModel({ nodes: [desk] }), { manifest: byName, topics })).toEqual([
      expect.stringContaining('nothing sets lenderId before'),
    ])
    // A step may name nobody.
    const alone = aModel({ nodes: [aStep(), aDesk('camunda:candidateGroups="user:${lenderId}"')] })
    expect(await reasons(alone, { manifest: byName, topics })).toEqual([
      'userTask_approve: Offered to: a step may name nobody, so name a role too',
    ])
    // What the server sets itself no step names.
    for (const [people, name] of [
      [{ requester: 'instruments.person.lender' }, 'requesterId'],
      [{ department: 'instruments.person.lender' }, 'departmentId'],
    ] as const)
      expect(await reasons(aModel({ nodes: [aStep()] }), { manifest: { ...context.manifest, people } })).toEqual([
        `loan: only the server sets ${name} (people)`,
      ])
  })

  test.each([
    ['HOD@department:${lenderId}', 'HOD@department is held for ${departmentId}, not for ${lenderId}'],
    ['HOD@post:${postId}', 'HOD@post is held for ${lenderId}, not for ${postId}'],
    ['user:${lenderId}', 'the flow does not say that its steps name somebody as ${lenderId}'],
    ['user:${caseId}', 'the flow does not say that its steps name somebody as ${caseId}'],
    ['user:lender', '“user:lender” is neither a role'],
  ])('are not %s', async (groups, reason) => {
    expect(await reasons(offered(groups), { manifest })).toEqual([expect.stringContaining(reason)])
  })

  test('is the requester, where the request is corrected', async () => {
    const correction = (groups: string) =>
      offered(groups).replace('camunda:formKey="instruments/approval"', 'camunda:formKey="instruments/request"')
    expect(await reasons(correction('user:${requesterId}'))).toEqual([])
    expect(await reasons(correction('Registrar'))).toEqual([
      'userTask_approve: Offered to: what was asked for is corrected by the requester',
    ])
  })
})

describe('an event that sends', () => {
  const sends = (attributes: string, inputs = 'template') =>
    aModel({
      nodes: [
        `<bpmn:intermediateThrowEvent id="event_told" name="Told"><bpmn:extensionElements><camunda:inputOutput><camunda:inputParameter name="${inputs}">instruments.mail.told</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements>…<bpmn:messageEventDefinition id="mail_told" ${attributes}/></bpmn:intermediateThrowEvent>`,
      ],
    })
  const topics = new Map([...context.topics, ['platform.send-mail', { needs: ['template'], gives: [], raises: [] }]])
  const sending = 'camunda:type="external" camunda:topic="platform.send-mail"'

  test('does it by email, with what the email needs', async () => {
    expect(await reasons(sends(sending), { topics })).toEqual([])
  })

  test.each([
    ['', 'template', 'an event that sends does it by a mail of ours'],
    ['camunda:type="external" camunda:topic="platform.absent"', 'template', 'there is no topic platform.absent'],
    ['camunda:type="external" camunda:topic="instruments.lend"', 'template', 'an event sends by platform.send-mail'],
    [sending, 'text', 'platform.send-mail needs template, which nothing sets before'],
    ['camunda:type="email"', 'template', 'only external is allowed'],
    ['camunda:class="Mailer"', 'template', 'models run no code'],
  ])('is refused with %s and %s', async (attributes, inputs, reason) => {
    expect(await reasons(sends(attributes, inputs), { topics })).toEqual([expect.stringContaining(reason)])
  })

  test('is none that waits', async () => {
    const waits = sends(sending).replaceAll('intermediateThrowEvent', 'intermediateCatchEvent')
    expect(await reasons(waits, { topics })).toEqual(
      expect.arrayContaining([expect.stringContaining('an event that waits has no topic')]),
    )
  })
})

describe('a condition', () => {
  const decided = (condition: string) =>
    aModel({
      nodes: [
        aDesk(),
        '<bpmn:exclusiveGateway id="gateway_lent" name="Lent?">…</bpmn:exclusiveGateway>',
        aDesk().replace('userTask_approve', 'userTask_later'),
      ],
    }).replace(
      'sourceRef="gateway_lent" targetRef="userTask_later"/>',
      `sourceRef="gateway_lent" targetRef="userTask_later"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" language="feel">${condition}</bpmn:conditionExpression></bpmn:sequenceFlow>`,
    )

  test.each([
    ['(userTask_approve_outcome = "approve") = true', undefined],
    ['(userTask_approve_outcome = "approve" and value > 100) = true', undefined],
    ['(value in [1..10]) = true', undefined],
    ['(contains(userTask_approve_outcome, "app")) = true', undefined],
    ['(contains(note, "x")) = true', 'reads note, which nothing sets before it'],
    ['(contains("x", value)) = true', 'calls a function'],
    ['(contains(string(value), "x")) = true', 'calls a function'],
    ['userTask_approve_outcome = "approve"', 'is not of the form (…) = true'],
    ['(value) = true or (value) = true', 'is not of the form (…) = true'],
    ['(userTask_later_outcome = "approve") = true', 'reads the outcome of “Approve”, which is not before it'],
    ['(userTask_approve_outcome = "aprove") = true', 'is never “aprove”, only approve, reject'],
    ['(note = "x") = true', 'reads note, which nothing sets before it'],
    ['(value * 2 > 10) = true', 'belong into a decision table'],
    ['(string length(value) > 10) = true', 'calls a function'],
    ['(value &gt; ) = true', 'is not FEEL'],
  ])('%s', async (condition, refused) => {
    const [reason = ''] = await reasons(decided(condition))
    expect(refused === undefined ? reason === '' : reason.includes(refused)).toBe(true)
  })
})

describe('errors', () => {
  const inspect = aStep()
    .replace('instruments.lend', 'instruments.inspect')
    .replace(
      '…',
      '<bpmn:extensionElements><camunda:inputOutput><camunda:inputParameter name="inspector">HOD</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements>…',
    )
  const boundary = (definition: string) =>
    `<bpmn:boundaryEvent id="boundary_broken" name="Broken" attachedToRef="serviceTask_lend"><bpmn:outgoing>flow_broken</bpmn:outgoing><bpmn:errorEventDefinition id="errorDefinition_broken" ${definition}/></bpmn:boundaryEvent><bpmn:sequenceFlow id="flow_broken" sourceRef="boundary_broken" targetRef="endEvent_broken"/><bpmn:endEvent id="endEvent_broken" name="Broken"><bpmn:incoming>flow_broken</bpmn:incoming></bpmn:endEvent>`
  const error = '<bpmn:error id="error_broken" name="Broken" errorCode="instruments.in-repair"/>'

  test('that a worker may raise are caught', async () => {
    expect(await reasons(aModel({ nodes: [inspect] }))).toEqual([
      'serviceTask_lend: instruments.inspect may raise instruments.in-repair, and no boundary event catches it',
    ])
    const caught = aModel({ nodes: [inspect], process: boundary('errorRef="error_broken"'), beside: error })
    expect(await reasons(caught)).toEqual([])
    expect(await reasons(aModel({ nodes: [inspect], process: boundary('') }))).toEqual([])
  })

  test('that another code catches are not caught', async () => {
    const other = error.replace('instruments.in-repair', 'instruments.lost')
    const xml = aModel({ nodes: [inspect], process: boundary('errorRef="error_broken"'), beside: other })
    expect(await reasons(xml)).toEqual([expect.stringContaining('no boundary event catches it')])
  })

  test('that an end event raises are caught around it', async () => {
    const ended = aModel({ nodes: [aStep()], beside: error }).replace(
      '</bpmn:incoming></bpmn:endEvent>',
      '</bpmn:incoming><bpmn:errorEventDefinition id="errorDefinition_broken" errorRef="error_broken"/></bpmn:endEvent>',
    )
    expect(await reasons(ended)).toEqual([
      'endEvent_done: nothing catches instruments.in-repair, so it would end the case in silence',
    ])
  })

  test('a worker has what it needs', async () => {
    const xml = aModel({ nodes: [aStep().replace('instruments.lend', 'instruments.inspect')], process: boundary('') })
    expect(await reasons(xml)).toEqual([
      'serviceTask_lend: instruments.inspect needs inspector, which nothing sets before',
    ])
  })
})

describe('time', () => {
  const wait = (time: string) =>
    `<bpmn:intermediateCatchEvent id="event_wait" name="Later">…<bpmn:timerEventDefinition id="timer_wait">${time}</bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`
  const count = aStep()
    .replace('serviceTask_lend', 'serviceTask_count')
    .replace('instruments.lend', 'platform.next-working-day')
  const aDay = '<bpmn:timeDuration>P1D</bpmn:timeDuration>'

  test('before a desk is followed by a fresh count of working days', async () => {
    expect(await reasons(aModel({ nodes: [wait(aDay), aDesk()] }))).toEqual([
      'event_wait: time passes before “Approve”: the path there must first pass the topic platform.next-working-day',
    ])
    expect(await reasons(aModel({ nodes: [wait(aDay), count, aDesk()] }))).toEqual([])
    expect(await reasons(aModel({ nodes: [count, wait(aDay), aDesk()] }))).toHaveLength(1)
    expect(await reasons(aModel({ nodes: [aDesk(), wait(aDay)] }))).toEqual([])
  })

  test.each([
    '<bpmn:timeDuration>tomorrow</bpmn:timeDuration>',
    '<bpmn:timeDuration>P</bpmn:timeDuration>',
    '<bpmn:timeDate>2026-01-01</bpmn:timeDate>',
    '<bpmn:timeCycle>R/PT1S</bpmn:timeCycle>',
    '<bpmn:timeCycle>0 0 * * * ?</bpmn:timeCycle>',
    '<bpmn:timeDate>${someday}</bpmn:timeDate>',
    '',
  ])('%s is no time to wait for', async (time) => {
    expect(await reasons(aModel({ nodes: [wait(time)] }))).not.toEqual([])
  })

  test.each([
    '<bpmn:timeDuration>P14D</bpmn:timeDuration>',
    '<bpmn:timeDate>${workday1}</bpmn:timeDate>',
    '<bpmn:timeDate>2027-01-01T00:00:00+05:30</bpmn:timeDate>',
    '<bpmn:timeCycle>R3/P1D</bpmn:timeCycle>',
  ])('%s is', async (time) => {
    expect(await reasons(aModel({ nodes: [wait(time)] }))).toEqual([])
  })
})

test('flows are declared at both ends', async () => {
  const xml = aModel({ nodes: [aDesk()] }).replace('<bpmn:incoming>flow_f0</bpmn:incoming>', '')
  expect(await reasons(xml)).toEqual(['userTask_approve: its incoming flows are not written on it'])
})

test('a flow derives nothing that only the server sets', async () => {
  const manifest = { ...context.manifest, derives: ['total', 'departmentId'] }
  expect(await reasons(aModel({ nodes: [aDesk()] }), { manifest })).toEqual([
    'loan: only the server sets departmentId (derives)',
  ])
})

test('the model of a manifest is the one that it names', async () => {
  expect(await reasons(aModel({ nodes: [aDesk()] }), { manifest: { ...context.manifest, process: 'other' } })).toEqual([
    'loan: the process of this flow is other',
  ])
})

test('a refused flow of the repository is reported with element and reason', async () => {
  const library = loadLibrary(root)
  const flow = [...library.flows.values()].find(({ bpmn }) => bpmn.content.includes('<bpmn:userTask '))!
  const content = flow.bpmn.content.replace('<bpmn:userTask ', '<bpmn:userTask camunda:assignee="admin" ')
  await expect(gateModel({ ...flow, bpmn: { ...flow.bpmn, content } }, library)).rejects.toThrow(
    /is refused\n {2}userTask_\w+: camunda:assignee: tasks are offered to roles/,
  )
})

describe('a decision table', () => {
  test('passes with comparisons in FEEL', () => {
    expect(gateDecisions(rateTable('value'))).toEqual([])
  })

  test.each([
    [
      'names no language, so that the engine takes its own',
      (xml: string) => xml.replace(/ expressionLanguage="feel"/, ''),
      /does not say that it is FEEL/,
    ],
    ['is in JUEL', (xml: string) => xml.replace('expressionLanguage="feel"', 'expressionLanguage="juel"'), /only feel/],
    [
      'is in JavaScript',
      (xml: string) => xml.replace('expressionLanguage="feel"', 'expressionLanguage="javascript"'),
      /only feel/,
    ],
    ['calculates', (xml: string) => xml.replace('> 100', '> 100 * 2'), /calculates/],
    ['calls what it likes', (xml: string) => xml.replace('"high"', 'java.lang.System.exit(0)'), /uses|calls/],
    [
      'defines a function',
      (xml: string) => xml.replace('</dmn:decision>', '<dmn:businessKnowledgeModel id="x"/></dmn:decision>'),
      /not allowed/,
    ],
    [
      'answers what its output does not list',
      (xml: string) =>
        xml.replace(
          /(<dmn:output [^>]*?)\s*\/>/,
          '$1><dmn:outputValues><dmn:text>"low"</dmn:text></dmn:outputValues></dmn:output>',
        ),
      /"high" is none of the values of/,
    ],
    ['has a DOCTYPE', (xml: string) => `<!DOCTYPE x>${xml}`, /DOCTYPE/],
  ])('is refused if it %s', (_what, change, reason) => {
    expect(gateDecisions(change(rateTable('value'))).map((one) => one.reason)).toEqual(
      expect.arrayContaining([expect.stringMatching(reason)]),
    )
  })
})

/** A document of decisions, each with the ids of those that it requires. */
const requiring = (required: readonly (readonly number[])[]) =>
  rateTable('value').replace(
    /<dmn:decision id="rate"[^]*<\/dmn:decision>/,
    required
      .map((others, index) => {
        const asked = others.map(
          (other, at) =>
            `<dmn:informationRequirement id="i${index}_${at}"><dmn:requiredDecision href="#d${other}"/></dmn:informationRequirement>`,
        )
        return `<dmn:decision id="d${index}" name="D" camunda:historyTimeToLive="P180D">${asked.join('')}<dmn:decisionTable id="t${index}" hitPolicy="FIRST"><dmn:input id="n${index}"><dmn:inputExpression id="e${index}" expressionLanguage="feel"><dmn:text>v${index}</dmn:text></dmn:inputExpression></dmn:input><dmn:output id="o${index}" name="out${index}"/></dmn:decisionTable></dmn:decision>`
      })
      .join(''),
  )

describe('decisions that require each other', () => {
  test('are read once each, however often they are required', () => {
    const chain = Array.from({ length: 60 }, (_, index) => (index < 59 ? [index + 1, index + 1] : []))
    const began = performance.now()
    const [first] = decisionsOf(requiring(chain))
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(first!.reads).toEqual(chain.map((_, index) => `v${index}`))
    expect(decisionsOf(requiring([[1], [2], [0]])).map(({ reads }) => [...reads].sort())).toEqual(
      [0, 1, 2].map(() => ['v0', 'v1', 'v2']),
    )
  })

  test('are at most a hundred, for the gate and for readers of a draft', () => {
    const many = requiring(Array.from({ length: 101 }, () => []))
    expect(gateDecisions(many)).toEqual([{ element: 'definitions', reason: 'a file has at most 100 decisions' }])
    expect(() => decisionsOf(many)).toThrow(UnreadableModel)
  })
})

test('rules count as well as cells, written or not', () => {
  const refused = [{ element: 'definitions', reason: 'decision tables have at most 4000 rows and cells' }]
  const empty = (count: number) => Array.from({ length: count }, (_, index) => `<dmn:rule id="r${index}"/>`).join('')
  expect(gateDecisions(rateTable('value', empty(4001)))).toEqual(refused)
  expect(gateDecisions(rateTable('value', empty(1400)))).toEqual(refused)
  expect(gateDecisions(rateTable('value', empty(1300)))).not.toEqual(refused)
})

test('the reader of statuses finds those of the booking diagram', async () => {
  const { statusesOf } = await import('../../api/platform/model/bpmn/statuses.ts')
  const xml = readFileSync(join(root, 'processes/resource-reservation/resource-booking.bpmn'), 'utf8')
  expect(statusesOf(xml).get('userTask_sendSlip')).toEqual({
    status: 'pending_for_payment',
    payment: 'invoice_issued',
  })
})
