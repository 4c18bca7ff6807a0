/** The props of a page: route parameters, and the parameters of its screen. */
export interface PageProps {
  params: Record<string, string>
  parameters: Record<string, unknown>
  /** Text key of the screen's title. */
  title: string
}
