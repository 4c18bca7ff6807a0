import { Button } from 'antd'
import { decodeNic } from '../../../../forms/platform/nic.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import type { FormValue } from './conditions.ts'
import { useForm } from './form-context.ts'
import css from './form.module.css'
import { TextWidget } from './text-widgets.tsx'
import { optionsOf, type WidgetProps } from './widget.ts'

/**
 * An identity card's number. What it says about its holder is proposed while the form does not say it yet, and asked
 * about if the form says otherwise. Nothing is filled in or changed unless the reader asks for it.
 */
export default function NicWidget(props: WidgetProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const { whole, fill } = useForm()
  const { 'x-nic': of } = props.schema
  const decoded = typeof props.value === 'string' ? decodeNic(props.value) : undefined
  const said: FormValue =
    of && decoded ? { [of.birth]: decoded.bornOn, [of.sex]: decoded.sex === 'male' ? of.male : of.female } : {}
  const differing = Object.keys(said).filter((name) => whole.value[name] !== said[name])
  const isAsked = differing.some((name) => (whole.value[name] ?? '') !== '')
  const sexes = of ? optionsOf(whole.schema.properties?.[of.sex] ?? {}) : undefined
  const sex = sexes?.find(({ value }) => value === said[of?.sex ?? ''])?.title ?? ''
  return (
    <>
      <TextWidget {...props} />
      {decoded && differing.length > 0 && (
        <p role="status" className={css['nic']}>
          {t(isAsked ? 'platform.nic.differs' : 'platform.nic.says', {
            birth: day(decoded.bornOn),
            sex: t(sex),
          })}{' '}
          <Button size="small" onClick={() => fill(said)}>
            {t('platform.nic.use')}
          </Button>
        </p>
      )}
    </>
  )
}
