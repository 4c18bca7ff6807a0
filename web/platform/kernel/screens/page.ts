/** The props of a page: route parameters, and the parameters of its screen. */
export interface PageProps {
  params: Record<string, string>
  parameters: Record<string, unknown>
  /** Text key of the screen's title. */
  title: string
}

/** A parameter that is a list of names; undefined for anything else. */
export function namesIn(parameter: unknown): string[] | undefined {
  return Array.isArray(parameter) && parameter.every((one) => typeof one === 'string') ? parameter : undefined
}

/** The parameter `only`: fields, each with the value that everything on the page has in it. */
export function onlyIn({ only }: PageProps['parameters']): Record<string, string> {
  const fields = typeof only === 'object' && only !== null ? Object.entries(only) : []
  return Object.fromEntries(fields.map(([field, value]) => [field, String(value)]))
}
