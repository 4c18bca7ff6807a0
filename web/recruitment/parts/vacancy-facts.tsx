import { useTexts } from '../../platform/kernel/texts/texts.ts'
import css from './vacancies.module.css'
import type { VacancyData } from './vacancies.ts'

interface VacancyFactsProps {
  vacancy: VacancyData
  /** Names of what the vacancy refers to, by id. */
  titles: Record<string, string>
}

/** Designation, faculty, department and subject of a vacancy. */
export function VacancyFacts({ vacancy, titles }: VacancyFactsProps) {
  const { t } = useTexts()
  const facts = [
    ['recruitment.page.designation', titles[vacancy.designation]],
    ['recruitment.page.faculty', titles[vacancy.faculty ?? '']],
    ['recruitment.page.department', titles[vacancy.department ?? '']],
    ['recruitment.vacancy.subject', vacancy.subject],
  ] as const
  return (
    <dl className={css['facts']}>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Mandatory and additional qualifications of a vacancy. */
export function Qualifications({ vacancy, level }: { vacancy: VacancyData; level: 'h2' | 'h3' }) {
  const { t } = useTexts()
  const Heading = level
  return (
    <>
      <Heading>{t('recruitment.vacancy.mandatory')}</Heading>
      <p className={css['written']}>{vacancy.mandatory}</p>
      {vacancy.qualifications && (
        <>
          <Heading>{t('recruitment.vacancy.qualifications')}</Heading>
          <p className={css['written']}>{vacancy.qualifications}</p>
        </>
      )}
    </>
  )
}
