import type { Case, FormSchema } from '../../kernel/client/types.ts'
import { Record } from '../../kernel/record/record.tsx'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import css from './shown.module.css'

type Part = Case['shows'][number]

/** What a case shows of registers as they are now, such as where to pay; parts that show nothing now are left out. */
export function ShownParts({ of }: { of: Case }) {
  return of.shows
    .filter(({ items }) => items !== null)
    .map((part) => <ShownPart key={part.name} of={of} part={part} headed />)
}

/** One part: what it is for, then the entries, or when there will be some. */
export function ShownPart({ of, part, headed = false }: { of: Case; part: Part; headed?: boolean }) {
  const { t } = useTexts()
  const key = `${of.flow.split('/')[0]}.shows.${part.name}`
  const help = `${key}-help`
  return (
    <section className={css['part']}>
      {headed && <h2>{t(key)}</h2>}
      {part.items === null ? (
        <p>{t(`${key}-later`)}</p>
      ) : (
        <>
          {hasText(help) && <p className={css['help']}>{t(help)}</p>}
          {part.items.length === 0 && <p>{t(`${key}-none`)}</p>}
          {part.items.map(({ id, data }) => (
            <div key={id} className={css['entry']}>
              {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API sends a form's schema */}
              <Record schema={part.schema as FormSchema} data={data} />
            </div>
          ))}
        </>
      )}
    </section>
  )
}
