const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.+\bSafari\//],
] as const

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/**
 * A browser as one calls it, from what it says of itself: `browser` and `system` where both are known. What is not a
 * browser is named by its first word (`curl`); undefined where nothing was said.
 */
export function deviceOf(
  userAgent: string | null,
): { browser: string; system: string } | { program: string } | undefined {
  const said = userAgent?.trim()
  if (!said) return undefined
  const nameIn = (list: readonly (readonly [string, RegExp])[]) => list.find(([, mark]) => mark.test(said))?.[0]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  return browser && system ? { browser, system } : { program: said.split(/[\s/(]/)[0]! }
}
