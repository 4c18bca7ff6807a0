import { Button } from 'antd'
import { useTexts } from '../texts/texts.ts'

interface MovesProps<Row> {
  rows: readonly Row[]
  at: number
  /** Names the row. */
  name: string
  onMove(rows: Row[]): void
}

/** Buttons that move a row up and down; the focus stays on the one that was used. A row alone has none. */
export function Moves<Row>({ rows, at, name, onMove }: MovesProps<Row>) {
  const { t } = useTexts()
  const move = (by: number) => {
    const [moved] = rows.slice(at, at + 1)
    if (moved !== undefined) onMove(rows.toSpliced(at, 1).toSpliced(at + by, 0, moved))
  }
  if (rows.length < 2) return null
  return [-1, 1].map((by) => (
    <Button
      key={by}
      type="text"
      disabled={rows[at + by] === undefined}
      aria-label={t(by < 0 ? 'platform.moves.up' : 'platform.moves.down', { name })}
      onClick={() => move(by)}
    >
      {by < 0 ? '↑' : '↓'}
    </Button>
  ))
}
