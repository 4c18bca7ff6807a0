import { ScanButton } from '../camera/scan-button.tsx'
import css from './form.module.css'
import { TextWidget } from './text-widgets.tsx'
import type { WidgetProps } from './widget.ts'

/** A code that is typed, or read by a hand scanner or the camera. */
export default function ScanWidget(props: WidgetProps) {
  const { id, schema, onChange } = props
  const pattern = schema['pattern']
  return (
    <div className={css['scan']}>
      <TextWidget {...props} />
      <ScanButton
        pattern={typeof pattern === 'string' ? pattern : undefined}
        onRead={(code) => {
          onChange(code)
          document.getElementById(id)?.focus()
        }}
      />
    </div>
  )
}
