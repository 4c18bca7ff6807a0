import css from './overview.module.css'

interface Bar {
  label: string
  value: number
  /** The formatted value. */
  words: string
}

const [WIDTH, HEIGHT, ROOM] = [56, 120, 44]

/**
 * A bar for each month; the table beside it has the same values for screen readers. Negative bars hang down; without
 * values nothing is drawn.
 */
export function Bars({ title, bars }: { title: string; bars: Bar[] }) {
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const least = Math.min(0, ...bars.map(({ value }) => value))
  if (most === 0 && least === 0) return null
  const scale = HEIGHT / (most - least || 1)
  const zero = 20 + most * scale
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <div className={css.scroll} role="group" aria-label={title} tabIndex={0}>
      <svg
        className={css.bars}
        role="img"
        aria-label={bars.map(({ label, words }) => `${label} ${words}`).join(', ')}
        width={bars.length * (WIDTH + ROOM)}
        height={HEIGHT + 48}
      >
        {bars.map(({ label, value, words }, at) => {
          const left = at * (WIDTH + ROOM) + ROOM / 2
          const middle = left + WIDTH / 2
          const height = Math.abs(value) * scale
          const top = value < 0 ? zero : zero - height
          return (
            <g key={label}>
              <rect x={left} y={top} width={WIDTH} height={Math.max(1, height)} data-below={value < 0 || undefined} />
              <text x={middle} y={value < 0 ? zero - 6 : top - 6}>
                {words}
              </text>
              <text x={middle} y={HEIGHT + 40} className={css.month}>
                {label}
              </text>
            </g>
          )
        })}
        <line x1={0} x2={bars.length * (WIDTH + ROOM)} y1={zero} y2={zero} />
      </svg>
    </div>
  )
}
