import { Button } from 'antd'
import { useRef } from 'react'
import type { FormRef, Task } from '../../kernel/client/types.ts'
import { Record } from '../../kernel/record/record.tsx'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Typing } from './draft.ts'
import { deskOf, outcomeText } from '../case/outcomes.ts'
import css from './task.module.css'

/** Input for a task that somebody else has decided: it is still shown and can be copied. */
export function TypedBefore({ form, of, typing }: { form: FormRef; of: Task; typing: Typing }) {
  const { t } = useTexts()
  const attempt = useAction()
  const words = useRef<HTMLDivElement>(null)
  const { outcome, ...data } = typing.typed ?? {}
  const chosen = outcomeText(form.schema, typeof outcome === 'string' ? outcome : null, t)
  const desk = deskOf(form.schema)
  const asks = desk.outcomes.find(({ value }) => value === outcome)?.asks
  // Fields of other outcomes and initial values were not typed.
  const isTyped = (name: string) =>
    name !== 'outcome' && (!asks || [...desk.always, ...asks].includes(name)) && differs(name, of, data)
  const clipboard = navigator.clipboard as Clipboard | undefined
  return (
    <section className={css['typed']} aria-label={t('platform.draft.typed')}>
      <h2>{t('platform.draft.typed')}</h2>
      <p>{t('platform.draft.typed-detail')}</p>
      <div ref={words} className={css['typedWords']}>
        {chosen && <strong>{chosen}</strong>}
        <Record schema={form.schema} data={data} only={({ name }) => isTyped(name)} />
      </div>
      <p className={css['choices']}>
        {clipboard && (
          <Button
            size="small"
            onClick={() =>
              void attempt(() => clipboard.writeText(words.current?.innerText ?? ''), t('platform.draft.copied'))
            }
          >
            {t('platform.draft.copy')}
          </Button>
        )}
        <Button size="small" type="text" onClick={() => void attempt(typing.discard)}>
          {t('platform.draft.discard')}
        </Button>
      </p>
    </section>
  )
}

/** A correction starts with what was sent: only changes are worth showing. */
const differs = (name: string, { case: of }: Task, data: { [name: string]: unknown }): boolean =>
  JSON.stringify(of.data[name]) !== JSON.stringify(data[name])
