import { theme as antd, type ConfigProviderProps, type ThemeConfig } from 'antd'

/** Light or dark, with the same colour names. */
export type Scheme = 'light' | 'dark'

/**
 * Every colour, named by its meaning. Style sheets use `var(--ink)`, Ant Design uses `themeOf`; no page defines a
 * colour of its own.
 */
const palette = {
  light: {
    ground: '#f7f5f2',
    paper: '#ffffff',
    raised: '#ffffff',
    hover: '#f1ede8',
    ink: '#211c19',
    'ink-soft': '#5c544d',
    'ink-faint': '#756c64',
    line: '#e6e0d9',
    'line-strong': '#cdc4ba',
    primary: '#7a1f2b',
    'primary-ink': '#7a1f2b',
    'primary-soft': '#f7ecec',
    waiting: '#48627e',
    'waiting-soft': '#eaeff4',
    'with-you': '#7a1f2b',
    'with-you-soft': '#f7ecec',
    done: '#2c6a45',
    'done-soft': '#e8f2eb',
    returned: '#8a5a0a',
    'returned-soft': '#faf1df',
    ended: '#655e57',
    'ended-soft': '#efebe7',
    event: '#2b5c9c',
    'event-ink': '#ffffff',
    wrong: '#b3261e',
    'wrong-soft': '#fbecea',
    'faculty-fogs': '#5b4b8a',
    'faculty-fom': '#1f6f78',
    'faculty-fova': '#b5651d',
    'faculty-fodd': '#9c2f6b',
    shadow: '0 8px 28px rgb(33 28 25 / 14%)',
  },
  dark: {
    ground: '#151311',
    paper: '#1d1a18',
    raised: '#272320',
    hover: '#2a2623',
    ink: '#ece7e2',
    'ink-soft': '#b9b0a8',
    'ink-faint': '#978e86',
    line: '#342f2b',
    'line-strong': '#4d463f',
    primary: '#a83d4e',
    'primary-ink': '#eba3ac',
    'primary-soft': '#3a2226',
    waiting: '#a3bcd6',
    'waiting-soft': '#232c36',
    'with-you': '#eba3ac',
    'with-you-soft': '#3a2226',
    done: '#8fcaa6',
    'done-soft': '#1f2e25',
    returned: '#e2b566',
    'returned-soft': '#342a18',
    ended: '#a9a099',
    'ended-soft': '#2b2724',
    event: '#3a6cae',
    'event-ink': '#ffffff',
    wrong: '#f0958d',
    'wrong-soft': '#3b211f',
    'faculty-fogs': '#9d8cd0',
    'faculty-fom': '#5fb1bb',
    'faculty-fova': '#df9a5b',
    'faculty-fodd': '#d672a8',
    shadow: '0 8px 28px rgb(0 0 0 / 55%)',
  },
} as const satisfies Record<Scheme, Record<string, string>>

/** Diagrams are drawn on white in both schemes. */
const diagram = {
  'diagram-paper': '#ffffff',
  'diagram-taken': palette.light.done,
  'diagram-taken-soft': '#f1f7f3',
  'diagram-now': palette.light.primary,
  'diagram-now-soft': palette.light['primary-soft'],
  'diagram-left': '#8f867e',
}

const fontFamily = "'Noto Sans', 'Noto Sans Sinhala', 'Noto Sans Tamil', system-ui, sans-serif"

/** Ant Design's theme for a scheme; Sinhala and Tamil need taller lines so that no vowel sign is clipped. */
export function themeOf(scheme: Scheme, tallLines: boolean, still: boolean): ThemeConfig {
  const colour = palette[scheme]
  const opposite = palette[scheme === 'dark' ? 'light' : 'dark']
  return {
    algorithm: scheme === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: { key: 'prakriya' },
    hashed: false,
    token: {
      fontFamily,
      fontSize: 14,
      ...(tallLines ? { lineHeight: 1.7 } : {}),
      borderRadius: 6,
      controlHeight: 36,
      colorPrimary: colour.primary,
      colorPrimaryBg: colour['primary-soft'],
      controlItemBgActive: colour['primary-soft'],
      controlItemBgActiveHover: colour['primary-soft'],
      colorLink: colour['primary-ink'],
      colorLinkHover: colour['primary-ink'],
      colorInfo: scheme === 'dark' ? '#7d9bbb' : colour.waiting,
      colorSuccess: scheme === 'dark' ? '#5fa57c' : colour.done,
      colorWarning: scheme === 'dark' ? '#c99338' : '#a86d0d',
      colorError: scheme === 'dark' ? '#e0645a' : colour.wrong,
      // Alerts have the soft tint of their meaning.
      colorInfoBg: colour['waiting-soft'],
      colorSuccessBg: colour['done-soft'],
      colorWarningBg: colour['returned-soft'],
      colorErrorBg: colour['wrong-soft'],
      colorText: colour.ink,
      colorTextSecondary: colour['ink-soft'],
      colorTextTertiary: colour['ink-faint'],
      colorTextPlaceholder: colour['ink-faint'],
      colorTextDescription: colour['ink-soft'],
      colorBgLayout: colour.ground,
      colorBgContainer: colour.paper,
      colorBgElevated: colour.raised,
      colorBorder: colour['line-strong'],
      colorBorderSecondary: colour.line,
      boxShadow: colour.shadow,
      boxShadowSecondary: colour.shadow,
      boxShadowTertiary: 'none',
      motion: !still,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.14s',
    },
    components: componentsOf(colour, opposite),
  }
}

type Colours = (typeof palette)[Scheme]

/** Overrides for single Ant Design components. */
function componentsOf(colour: Colours, opposite: Colours): NonNullable<ThemeConfig['components']> {
  return {
    Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500 },
    Form: { verticalLabelPadding: '0 0 4px', itemMarginBottom: 20 },
    Table: {
      headerBg: colour.paper,
      headerSplitColor: 'transparent',
      cellFontSize: 13,
      cellFontSizeMD: 13,
      cellFontSizeSM: 13,
    },
    // Toasts contrast with the page: dark on light, light on dark.
    Message: {
      contentBg: opposite.raised,
      colorText: opposite.ink,
      colorTextHeading: opposite.ink,
      colorInfo: opposite.waiting,
      colorSuccess: opposite.done,
      colorWarning: opposite.returned,
      colorError: opposite.wrong,
    },
    Modal: { titleFontSize: 18 },
    Segmented: { trackBg: colour.hover },
  }
}

/** Dialog layout: a long title leaves room for the close button, and buttons may wrap. */
export const modal = {
  styles: {
    header: { paddingInlineEnd: 32 },
    footer: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', rowGap: 8 },
  },
} as const satisfies ConfigProviderProps['modal']

/** Sets the colours as CSS variables. */
export function paint(scheme: Scheme): void {
  const root = document.documentElement
  for (const [name, value] of Object.entries({ ...palette[scheme], ...diagram }))
    root.style.setProperty(`--${name}`, value)
  root.style.colorScheme = scheme
}
