/**
 * The labels of attributes and elements in the studio's properties panel. Reasons use them; what has no field keeps its
 * name from the document.
 */
export const panelWords = {
  name: 'Label',
  'camunda:candidateGroups': 'Offered to',
  'camunda:formKey': 'Form',
  'camunda:dueDate': 'Due after',
  'camunda:followUpDate': 'Follow-up after',
  'camunda:priority': 'Priority',
  'camunda:topic': 'Step',
  'camunda:decisionRef': 'Decision table',
  'camunda:decisionRefBinding': 'Decision table',
  'camunda:mapDecisionResult': 'Decision table',
  'camunda:resultVariable': 'Result is kept as',
  calledElement: 'Flow that is called',
  history: 'History is kept for',
  fourEyes: 'Not to be decided by',
  remind: 'Remind after',
  remindTemplate: 'Email of the reminder',
  escalate: 'Escalate after',
  escalateTemplate: 'Email of the escalation',
  'bpmn:timeDate': 'After',
  'bpmn:timeDuration': 'After',
  'bpmn:timeCycle': 'After',
  'bpmn:conditionExpression': 'Condition',
} as const

/** The panel field of an attribute or element of a BPMN document; undefined if there is none. */
export function fieldOf(name: string): string | undefined {
  const words: Readonly<Record<string, string>> = panelWords
  return Object.hasOwn(words, name) ? words[name] : undefined
}

/** An element in a reason: its label, or else its id. */
export function called({ id, name }: { id: string; name?: string }): string {
  const label = (name ?? '').trim()
  return label === '' ? id : `“${label}”`
}
