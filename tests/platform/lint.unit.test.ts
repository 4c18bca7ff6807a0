import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { lint, lintDecisions } from '../../api/platform/model/bpmn/lint/lint.ts'
import { readModel } from '../../api/platform/model/bpmn/read.ts'
import { aDesk, aModel, aStep, end, start } from './fixtures/models.ts'

const root = join(import.meta.dirname, '../..')
const allProblems = async (xml: string) =>
  (await lint(await readModel(xml))).map(({ element, reason }) => `${element}: ${reason}`)
/** Without the desk pattern's rules, because most desks here stand for any task. */
const problems = async (xml: string) =>
  (await allProblems(xml)).filter((line) => !line.includes('prakriya/desk-pattern'))

const desk = (id: string, list?: string) => {
  const property = `<camunda:properties><camunda:property name="${list}" value="x"/></camunda:properties>`
  return aDesk('', list && property).replace('userTask_approve', id)
}
const gateway = (kind: string, id: string) => `<bpmn:${kind}Gateway id="${id}" name="">…</bpmn:${kind}Gateway>`
const reminder = (host: string) =>
  `<bpmn:boundaryEvent id="boundary_waits" name="Waits" attachedToRef="${host}" cancelActivity="false">…<bpmn:timerEventDefinition id="timer_waits"><bpmn:timeDuration>P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>`

test('a tidy model has no findings', async () => {
  expect(await problems(aModel({ nodes: [desk('userTask_approve', 'status'), aStep()] }))).toEqual([])
})

test('every model of the repository is tidy', async () => {
  const { flows, schedules } = loadLibrary(root)
  for (const { key, bpmn } of [...flows.values(), ...schedules.values()])
    expect([key, await allProblems(bpmn.content)]).toEqual([key, []])
})

describe('a desk is drawn like all others', () => {
  const xml = readFileSync(join(root, 'processes/resource-reservation/resource-booking.bpmn'), 'utf8')
  const invoice = '(?<=id="userTask_issueInvoice"[^]*?)'
  const promise = (kind: string) => `<camunda:property name="${kind}" [^>]*>`

  test.each([
    [
      'nobody may decide what they asked for',
      'value="requester"',
      'value="requesters"',
      '“Not to be decided by” does not name',
    ],
    ['it is due some day', ' camunda:dueDate="[^"]*"', '', 'it has no due date'],
    ['it is reminded', promise('remind'), '', 'nobody reminds it: say when under “Remind after”'],
    ['it is passed on', promise('escalate'), '', 'nobody tells those above it: say when under “Escalate after”'],
  ])('so that %s', async (_what, found, instead, reason) => {
    expect(await allProblems(xml.replace(new RegExp(invoice + found), instead))).toEqual([
      expect.stringContaining(`userTask_issueInvoice: prakriya/desk-pattern: ${reason}`),
    ])
  })

  test('and its paths show its decision', async () => {
    expect(
      await allProblems(xml.replace('id="flow_returnedByHead" name="return"', 'id="flow_returnedByHead"')),
    ).toContain('userTask_approveByHead: prakriya/desk-pattern: a way behind it does not say what was decided')
  })

  test('and one of the requester is reminded, and lapses', async () => {
    const lapse = 'attachedToRef="userTask_correct"'
    const never = xml.replace(`name="14 days" ${lapse}`, `name="14 days" ${lapse} cancelActivity="false"`)
    expect(await allProblems(never)).toContain('userTask_correct: prakriya/desk-pattern: it never lapses')
    const silent = xml.replace(new RegExp(`(?<=id="userTask_correct"[^]*?)${promise('remind')}`), '')
    expect(await allProblems(silent)).toContain(
      'userTask_correct: prakriya/desk-pattern: nobody reminds the requester: say when under “Remind after”',
    )
  })
})

test('a timer that only mails the people of a desk should become its promise', async () => {
  const told = (to: string) =>
    `<camunda:inputOutput><camunda:inputParameter name="to">${to}</camunda:inputParameter></camunda:inputOutput>`
  const sends = '<bpmn:messageEventDefinition id="mail_x" camunda:type="external" camunda:topic="platform.send-mail"/>'
  const mail = (to: string) =>
    `<bpmn:endEvent id="endEvent_told" name="Told"><bpmn:extensionElements>${told(to)}</bpmn:extensionElements>…${sends}</bpmn:endEvent>`
  const said = async (to: string) => {
    const flows = [
      'startEvent_asked → userTask_first',
      'userTask_first → endEvent_done',
      'boundary_waits → endEvent_told',
    ]
    const nodes = [start, desk('userTask_first'), end, reminder('userTask_first'), mail(to)]
    return allProblems(aModel({ nodes, flows }))
  }
  const rule = 'userTask_first: prakriya/desk-pattern:'
  const instead = 'in place of the timer that only sends a mail'
  const reminds = `${rule} nobody reminds it: say when under “Remind after”`
  const escalates = `${rule} nobody tells those above it: say when under “Escalate after”`
  expect(await said('desk:userTask_first')).toEqual(expect.arrayContaining([`${reminds}, ${instead}`, escalates]))
  expect(await said('above:userTask_first')).toEqual(expect.arrayContaining([reminds, `${escalates}, ${instead}`]))
  expect(await said('Registrar')).toEqual(expect.arrayContaining([reminds, escalates]))
})

describe('the deadlines of a desk agree', () => {
  const xml = readFileSync(join(root, 'processes/resource-reservation/resource-booking.bpmn'), 'utf8')
  /** The findings about a desk with another due date or timer. */
  const said = async (of: string, from: RegExp, to: string) => {
    const changed = xml.replace(from, to)
    expect(changed).not.toBe(xml)
    const found = await lint(await readModel(changed))
    return found.filter(({ element }) => element === of).map(({ reason }) => reason)
  }
  const invoiceDue = /(?<=id="userTask_issueInvoice"[^>]*camunda:dueDate=")[^"]*/
  const correctionDue = /(?<=id="userTask_correct"[^>]*camunda:dueDate=")[^"]*/
  const rule = 'prakriya/deadlines-agree: '

  test.each([
    ['${workday1}', 'its reminder comes after 1 working day: remind before it is due', '1 working day'],
    ['PT4H', 'its reminder comes after 1 working day: remind before it is due', '4 hours'],
    ['P14D', 'those above it are told after 3 working days: tell them once it is due', '14 days'],
  ])('a due date of %s leaves reminder and escalation where they were', async (due, reason, words) => {
    expect(await said('userTask_issueInvoice', invoiceDue, due)).toEqual([
      `${rule}“Due after” says ${words}, but ${reason}`,
    ])
  })

  test('a reminder comes before the escalation', async () => {
    const after = /(?<=id="userTask_issueInvoice"[^]*?name="remind" value=")workday1/
    const found = await said('userTask_issueInvoice', after, 'workday3')
    expect(found).toEqual(
      expect.arrayContaining([
        `${rule}“Due after” says 3 working days, but its reminder comes after 3 working days: remind before it is due`,
        `${rule}its reminder comes after 3 working days, but those above it are told after 3 working days: remind first`,
      ]),
    )
  })

  test('a desk of the requester does not lapse before it is due', async () => {
    expect(await said('userTask_correct', correctionDue, 'P30D')).toEqual([
      `${rule}“Due after” says 30 days, but it lapses after 14 days: let it lapse once it is due`,
    ])
  })

  test('a due date that only a case knows is not compared', async () => {
    expect(await said('userTask_issueInvoice', invoiceDue, '${eventEnd}')).toEqual([])
  })
})

describe('labels', () => {
  test('are on tasks', async () => {
    expect(await problems(aModel({ nodes: [aDesk().replace('name="Approve"', '')] }))).toEqual([
      expect.stringContaining('userTask_approve: label-required'),
    ])
  })

  test('are on sub-processes and on the default path', async () => {
    const sub =
      '<bpmn:subProcess id="subProcess_lend">…<bpmn:startEvent id="startEvent_lend" name="Lend"><bpmn:outgoing>flow_l</bpmn:outgoing></bpmn:startEvent><bpmn:sequenceFlow id="flow_l" sourceRef="startEvent_lend" targetRef="endEvent_lent"/><bpmn:endEvent id="endEvent_lent" name="Lent"><bpmn:incoming>flow_l</bpmn:incoming></bpmn:endEvent></bpmn:subProcess>'
    const fork =
      '<bpmn:exclusiveGateway id="gateway_worth" name="Worth it?" default="flow_f2">…</bpmn:exclusiveGateway>'
    const found = await problems(
      aModel({
        nodes: [start, sub, fork, aStep(), end, end.replace('endEvent_done', 'endEvent_not')],
        flows: [
          ...[
            'startEvent_asked → subProcess_lend',
            'subProcess_lend → gateway_worth',
            'gateway_worth → serviceTask_lend',
          ],
          ...['gateway_worth → endEvent_not', 'serviceTask_lend → endEvent_done'],
        ],
      }),
    )
    expect(found).toContain('subProcess_lend: prakriya/labelled: it has no label')
    expect(found).toContain('flow_f2: prakriya/labelled: the default path has no label')
  })
})

describe('the drawing', () => {
  test('leads from left to right', async () => {
    const xml = aModel({
      nodes: [start, aStep(), aDesk(), end],
      flows: [
        'startEvent_asked → userTask_approve',
        'userTask_approve → serviceTask_lend',
        'serviceTask_lend → endEvent_done',
      ],
    })
    expect(await problems(xml)).toEqual([
      'flow_f1: prakriya/left-to-right: it leads back to the left, from userTask_approve to serviceTask_lend',
    ])
  })

  test('may lead back in a loop', async () => {
    const xml = aModel({
      nodes: [
        start,
        gateway('exclusive', 'gateway_again'),
        aDesk(),
        gateway('exclusive', 'gateway_enough').replace('name=""', 'name="Enough?"'),
        end,
      ],
      flows: [
        ...[
          'startEvent_asked → gateway_again',
          'gateway_again → userTask_approve',
          'userTask_approve → gateway_enough',
        ],
        ...['gateway_enough → gateway_again', 'gateway_enough → endEvent_done'],
      ],
    })
    expect((await problems(xml)).filter((one) => one.includes('left-to-right'))).toEqual([])
  })

  test('shows everything', async () => {
    const xml = aModel({ nodes: [aDesk()] }).replace(
      /<bpmndi:BPMNShape id="userTask_approve_di".*?<\/bpmndi:BPMNShape>/,
      '',
    )
    expect(await problems(xml)).toContain('userTask_approve: prakriya/left-to-right: it is not drawn')
  })
})

describe('ids', () => {
  test.each(['approve', 'task_approve', 'userTask_Approve', 'Activity_0x1'])('do not look like %s', async (id) => {
    expect(await problems(aModel({ nodes: [desk(id)] }))).toEqual([
      `${id}: prakriya/ids-carry-their-kind: the id is not of the form userTask_itsMeaning`,
    ])
  })
})

describe('a status list is set', () => {
  const parallel = (first: string, second: string) =>
    aModel({
      nodes: [
        ...[start, gateway('parallel', 'gateway_fork'), desk('userTask_first', first), desk('userTask_second', second)],
        ...[gateway('parallel', 'gateway_join'), desk('userTask_last', 'status'), end],
      ],
      flows: [
        ...['startEvent_asked → gateway_fork', 'gateway_fork → userTask_first', 'gateway_fork → userTask_second'],
        ...['userTask_first → gateway_join', 'userTask_second → gateway_join'],
        ...['gateway_join → userTask_last', 'userTask_last → endEvent_done'],
      ],
    })
  const set = 'prakriya/one-path-sets-a-status: the list'

  test('on one branch of a parallel gateway only', async () => {
    expect(await problems(parallel('status', 'status.payment'))).toEqual([])
    expect(await problems(parallel('status', 'status'))).toEqual([
      `userTask_first: ${set} status is set on another branch of gateway_fork at the same time`,
      `userTask_second: ${set} status is set on another branch of gateway_fork at the same time`,
    ])
  })

  test('on the path of the desk only, not beside it', async () => {
    const accompanied = (list: string) =>
      aModel({
        nodes: [
          start,
          desk('userTask_first', 'status'),
          reminder('userTask_first'),
          desk('userTask_beside', list),
          end,
          end.replace('endEvent_done', 'endEvent_beside'),
        ],
        flows: [
          ...['startEvent_asked → userTask_first', 'userTask_first → endEvent_done'],
          ...['boundary_waits → userTask_beside', 'userTask_beside → endEvent_beside'],
        ],
      })
    const about = async (list: string) =>
      (await problems(accompanied(list))).filter((one) => one.includes('prakriya/one'))
    expect(await about('status.payment')).toEqual([])
    expect(await about('status')).toEqual([
      `userTask_beside: ${set} status is set beside the path that boundary_waits accompanies`,
    ])
  })

  test('outside of repeated tasks only', async () => {
    const several = (list: string) =>
      desk('userTask_each', list).replace(
        '…',
        '…<bpmn:multiInstanceLoopCharacteristics camunda:collection="${csv.list(ids)}"/>',
      )
    expect(await problems(aModel({ nodes: [several('status'), desk('userTask_last', 'status.payment')] }))).toEqual([])
    expect(await problems(aModel({ nodes: [several('status'), desk('userTask_last', 'status')] }))).toEqual([
      `userTask_each: ${set} status is set here several times and elsewhere as well`,
    ])
  })
})

test('a decision table labels its inputs and outputs', () => {
  const table =
    '<dmn:decisionTable id="table"><dmn:input id="input"/><dmn:output id="output" name="rate"/></dmn:decisionTable>'
  const xml = `<dmn:definitions xmlns:dmn="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d"><dmn:decision id="rate">${table}</dmn:decision></dmn:definitions>`
  expect(lintDecisions(xml).map(({ element, reason }) => `${element}: ${reason}`)).toEqual([
    'rate: name is missing',
    'input: label is missing',
    'output: label is missing',
    'table: the table has no rule',
  ])
})
