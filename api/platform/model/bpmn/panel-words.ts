/**
 * What owners know the attributes and elements of a model as: by the names of the fields in which the studio fills them
 * in. Reasons call them so; what no field fills in keeps the name that it has in the document.
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
  remindTemplate: 'Mail of the reminder',
  escalate: 'Escalate after',
  escalateTemplate: 'Mail of the escalation',
  'bpmn:timeDate': 'After',
  'bpmn:timeDuration': 'After',
  'bpmn:timeCycle': 'After',
  'bpmn:conditionExpression': 'Condition',
} as const

/** The field that fills in an attribute or an element of a BPMN document; undefined where there is none. */
export function fieldOf(name: string): string | undefined {
  return Object.hasOwn(panelWords, name) ? panelWords[name as keyof typeof panelWords] : undefined
}

/** A desk or another element in a reason: by its label; by its id where it has none. */
export function called({ id, name }: { id: string; name?: string }): string {
  const label = (name ?? '').trim()
  return label === '' ? id : `“${label}”`
}
