import { Button } from 'antd'
import { useState } from 'react'
import { ageOn } from '../../../../forms/platform/age.ts'
import { wallClock } from '../clock/colombo.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { useForm } from './form-context.ts'
import css from './form.module.css'
import { TextWidget } from './text-widgets.tsx'
import type { WidgetProps } from './widget.ts'

/**
 * An age. What follows from the date of birth is proposed while the field is empty, and asked about if
 * it says otherwise. Nothing is filled in or changed unless the reader asks for it.
 */
export default function AgeWidget(props: WidgetProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const { whole } = useForm()
  const birth = whole.value[props.schema['x-age-of'] ?? '']
  const [today] = useState(() => wallClock(Date.now()).date)
  const age = ageOn(today, birth)
  const typed = typeof props.value === 'string' ? props.value : ''
  return (
    <>
      <TextWidget {...props} />
      {age !== undefined && typed !== String(age) && (
        <p role="status" className={css['nic']}>
          {t(typed === '' ? 'platform.age.says' : 'platform.age.differs', { birth: day(String(birth)), age })}{' '}
          <Button size="small" onClick={() => props.onChange(String(age))}>
            {t('platform.age.use', { age })}
          </Button>
        </p>
      )}
    </>
  )
}
