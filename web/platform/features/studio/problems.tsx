import { Button } from 'antd'
import { memo } from 'react'
import type { ModelProblem } from '../../kernel/api/studio.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './studio.module.css'

interface ProblemsProps {
  /** Undefined until they are known. */
  problems: readonly ModelProblem[] | undefined
  /** They could not be asked for. */
  failed: boolean
  folded: boolean
  onFold(): void
  titleOf(element: string): string
  onJump(element: string): void
}

/** What is wrong with the draft, below the canvas; each line leads to its element. */
export function Problems({ problems, failed, folded, onFold, titleOf, onJump }: ProblemsProps) {
  const { t } = useTexts()
  const count = problems?.length ?? 0
  return (
    <section className={css['problems']} aria-label={t('platform.studio.problems')}>
      <header>
        {count > 0 ? (
          <Button type="text" size="small" aria-expanded={!folded} onClick={onFold}>
            {t('platform.studio.problem-count', { count })}
          </Button>
        ) : (
          <output>{problems ? t('platform.studio.no-problems') : t('platform.studio.checking')}</output>
        )}
        {failed && <span className={css['wrong']}>{t('platform.studio.not-checked')}</span>}
      </header>
      {!folded && count > 0 && <ProblemList problems={problems ?? []} titleOf={titleOf} onJump={onJump} />}
    </section>
  )
}

interface ProblemListProps {
  problems: readonly ModelProblem[]
  titleOf(element: string): string
  /** Where there is nothing to jump to, the lines are words alone. */
  onJump?: ((element: string) => void) | undefined
}

/** Problems one by one: where, and why. */
export function ProblemList({ problems, titleOf, onJump }: ProblemListProps) {
  const { t } = useTexts()
  return (
    <ul className={css['problemList']}>
      {problems.map(({ element, reason, level }, place) => (
        <Line
          key={`${element} ${place}`}
          element={element}
          title={element === 'definitions' ? t('platform.studio.whole') : titleOf(element)}
          reason={reason}
          level={level}
          onJump={onJump}
        />
      ))}
    </ul>
  )
}

interface LineProps extends Pick<ModelProblem, 'element' | 'reason' | 'level'> {
  title: string
  onJump: ProblemListProps['onJump']
}

const Line = memo(function Line({ element, title, reason, level, onJump }: LineProps) {
  const words = (
    <>
      <strong>{title}</strong> <span>{reason}</span>
    </>
  )
  return (
    <li data-level={level}>
      {onJump ? (
        <button type="button" onClick={() => onJump(element)}>
          {words}
        </button>
      ) : (
        words
      )}
    </li>
  )
})
