import { type ChainDesk, type ChainDesks, CORRECT, type Ends, chainOf } from './chain.ts'
import type { Names } from './diagram.ts'
import { decisionOf, requestOf } from './forms.ts'
import type { Parts } from './skeleton.ts'
import { chainTexts } from './words.ts'

/** Kinds of unit that can limit a desk, and the pointer to each in the start form. */
export const UNITS = {
  department: '/department',
  faculty: '/department#/data/faculty',
} as const

/** The parts of a flow with several desks in a row. */
export function chainParts(names: Names, reference: string, desks: ChainDesks, ends: Ends): Parts {
  const { area, name } = names
  const states = [...new Set([...desks.map(({ status }) => status), ends.approved, ends.rejected])]
  return {
    diagram: chainOf(names, desks, ends),
    scenarios: scenariosOf(desks, ends),
    manifest: {
      title: `${area}.${name}`,
      process: name,
      start: `${area}/${name}-request`,
      startedBy: ['*'],
      seenBy: [...new Set(desks.map(({ group }) => group))],
      firstStatus: { status: desks[0].status },
      statusLists: { status: `${area}/${name}` },
      reference,
      scope: UNITS,
      subject: { purpose: '/purpose' },
      subjectText: `${area}.${name}-subject`,
      question: {
        ...Object.fromEntries(desks.map(({ id }) => [id, `${area}.question.approve`])),
        [CORRECT]: `${area}.question.correct`,
      },
      columns: ['/purpose'],
      withdraw: 'message_withdraw',
    },
    request: requestOf(names),
    decision: decisionOf(names, ['approve', 'return', 'reject']),
    statuses: { states, meanings: { [ends.approved]: 'done', [ends.rejected]: 'ended' } },
    texts: (language) => chainTexts(names, { desks, states }, language),
    readme: readmeOf(names, desks, ends),
  }
}

/** Scenarios: each desk rejects once, all approve, and a returned request is corrected or lapses. */
function scenariosOf(desks: ChainDesks, { approved, rejected }: Ends): object[] {
  const approvals = desks.map(({ id }) => ({ desk: id, outcome: 'approve' }))
  const called = (until: number) => desks.slice(0, until).map(({ status }) => status)
  /** The statuses of a case in order, without repetitions. */
  const told = (names: string[]) => names.filter((one, at) => one !== names[at - 1])
  const [first] = desks
  return [
    {
      name: 'All approve',
      steps: approvals,
      expect: { statuses: { status: told([...called(desks.length), approved]) }, end: 'endEvent_approved' },
    },
    ...desks.map(({ id, role }, at) => ({
      name: `${role} rejects${at === 0 ? '' : ' what was approved before'}`,
      steps: [...approvals.slice(0, at), { desk: id, outcome: 'reject' }],
      expect: { statuses: { status: told([...called(at + 1), rejected]) }, end: 'endEvent_rejected' },
    })),
    ...desks.map(({ id, role }, at) => ({
      name: `${role} returns it, and it is corrected`,
      steps: [...approvals.slice(0, at), { desk: id, outcome: 'return' }, { desk: CORRECT }],
      expect: { statuses: { status: told([...called(at + 1), first.status]) }, at: [first.id] },
    })),
    {
      name: 'Not corrected in fourteen days',
      steps: [{ desk: first.id, outcome: 'return' }, { passes: 'P15D' }],
      expect: { statuses: { status: [first.status] }, end: 'endEvent_lapsed' },
    },
    {
      name: 'Withdrawn before the first desk decided',
      steps: [{ message: 'message_withdraw' }],
      expect: { statuses: { status: [first.status] }, end: 'endEvent_withdrawn' },
    },
  ]
}

function readmeOf({ name, title }: Names, desks: readonly ChainDesk[], { approved, rejected }: Ends): string {
  return `# ${title}

**${title}** (\`${name}.bpmn\`): one sentence on what it is for.

1. **Who starts it**: anybody who is signed in, at \`/start\`, for a department.
2. **Who acts**: ${desks.map(({ role }) => role).join(' → ')}.
3. **What a desk may do**: approve, return it to the requester with a reason, or reject with a reason. Nobody decides their own, and nobody at two desks.
4. **What can go wrong**: rejection; returned and not corrected in 14 days; withdrawn before the last desk has decided.
5. **Where it ends**: \`${approved}\`, \`${rejected}\`, withdrawn or lapsed; the requester is told by mail.
`
}
