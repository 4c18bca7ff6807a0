import { isRecord } from '../record/fields.ts'
import { useTexts } from '../texts/texts.ts'
import FileWidget from './file-widget.tsx'
import { useForm } from './form-context.ts'
import css from './form.module.css'
import type { WidgetProps } from './widget.ts'

/** A file for each title that the chosen entry asks for; what is not required may be left out. */
export default function AskedWidget({ id, pointer, schema, value, onChange }: WidgetProps) {
  const { t } = useTexts()
  const { asked, errors, idOf } = useForm()
  const rows = asked.rows.get(pointer.slice(1)) ?? []
  const held = Array.isArray(value) ? value.filter(isRecord) : []
  const file = schema.items?.properties?.['file'] ?? {}
  const fileOf = (title: string) => held.find((row) => row['title'] === title)?.['file']
  const put = (changed: string, to: unknown) => {
    const all = rows.map(({ title }) => ({ title, file: title === changed ? to : fileOf(title) }))
    const some = all.filter((row) => row.file !== undefined)
    onChange(some.length > 0 ? some : undefined)
  }
  return (
    <div className={css['list']} id={id} tabIndex={-1}>
      {rows.map(({ title, required }) => {
        // Its place in what is sent, which has only the rows with a file.
        const at = held.findIndex((row) => row['title'] === title)
        const place = `${pointer}/${at < 0 ? held.length : at}/file`
        const placeId = idOf(at < 0 ? `${pointer}/${title}` : place)
        const error = at < 0 ? undefined : errors.get(place)
        return (
          <fieldset key={title} className={css['item']}>
            <legend>
              {title}
              {!required && <span className={css['optional']}> {t('platform.form.optional')}</span>}
            </legend>
            {error && (
              <p id={`${placeId}-error`} className={css['error']} role="alert">
                {error}
              </p>
            )}
            <FileWidget
              id={placeId}
              pointer={place}
              schema={file}
              value={fileOf(title)}
              wrong={error !== undefined}
              required={required}
              describedBy={error && `${placeId}-error`}
              onChange={(changed) => put(title, changed)}
            />
          </fieldset>
        )
      })}
    </div>
  )
}
