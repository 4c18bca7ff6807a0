import { Button } from 'antd'
import { memo } from 'react'
import type { ModelProblem } from '../../kernel/api/studio.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './studio.module.css'

interface ProblemsProps {
  /** Undefined until they are known. */
  problems: readonly ModelProblem[] | undefined
  /** The check failed. */
  failed: boolean
  folded: boolean
  onFold(): void
  titleOf(element: string): string
  onJump(element: string): void
}

/** The problems of the draft, below the canvas; each line links to its element. */
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
  /** Without it, the lines are plain text. */
  onJump?: ((element: string) => void) | undefined
}

/** Problems one by one: element and reason. */
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
