import { Button } from 'antd'
import { useTexts } from '../texts/texts.ts'
import { useForm } from './form-context.ts'
import { TimeSelect } from './time-select.tsx'
import css from './week.module.css'
import { optionsOf, type WidgetProps } from './widget.ts'
import { hoursOf, type Hours } from '../record/fields.ts'

/** The default hours of the first open day. */
const usual = { from: '08:00', until: '17:00' }

/** Opening hours of a week: a line per day, closed or with one or more time spans. */
export default function WeekWidget({ id, schema, value, onChange, pointer }: WidgetProps) {
  const { t } = useTexts()
  const { idOf, errors } = useForm()
  const fields = schema.items?.properties ?? {}
  const days = (fields['day'] && optionsOf(fields['day'])) ?? []
  const rows = hoursOf(value)
  const most = schema.maxItems ?? Infinity
  const of = (day: unknown) => rows.map((row, place) => ({ row, place })).filter(({ row }) => row.day === day)

  const put = (changed: Hours[]) => {
    const place = ({ day }: Hours) => days.findIndex((each) => each.value === day)
    onChange(changed.length > 0 ? changed.toSorted((a, b) => place(a) - place(b)) : undefined)
  }
  const change = (place: number, name: 'from' | 'until', time: string | undefined) =>
    put(rows.map((row, index) => (index === place ? { ...row, [name]: time } : row)))
  /** Copies the nearest earlier open day. */
  const open = (at: number) => {
    const before = days.slice(0, at).findLast((each) => of(each.value).length > 0)
    const spans = before ? of(before.value).map(({ row }) => row) : [usual]
    put([...rows, ...spans.map(({ from, until }) => ({ day: String(days[at]?.value), from, until }))])
  }

  return (
    <table className={css.week}>
      <tbody>
        {days.map((day, at) => {
          const name = t(day.title)
          const spans = of(day.value)
          return (
            <tr key={String(day.value)}>
              <th scope="row">{name}</th>
              <td>
                {spans.length === 0 && <span className={css.closed}>{t('platform.form.week.closed')}</span>}
                {spans.map(({ row, place }, index) => {
                  const wrong = (['from', 'until'] as const).map((end) => errors.get(`${pointer}/${place}/${end}`))
                  return (
                    <div key={index} className={css.span}>
                      {(['from', 'until'] as const).map((end, which) => {
                        const cell = `${pointer}/${place}/${end}`
                        const label = t('platform.form.week.time', {
                          day: name,
                          label: t(fields[end]?.title ?? end),
                          row: index + 1,
                        })
                        return (
                          <TimeSelect
                            key={end}
                            id={idOf(cell)}
                            aria-label={label}
                            aria-describedby={wrong[which] && `${idOf(cell)}-error`}
                            wrong={wrong[which] !== undefined}
                            value={row[end]}
                            untilMidnight={end === 'until'}
                            onChange={(time) => change(place, end, time)}
                          />
                        )
                      })}
                      <Button
                        type="text"
                        size="small"
                        aria-label={t('platform.form.week.remove', { day: name, row: index + 1 })}
                        onClick={() => put(rows.filter((_, each) => each !== place))}
                      >
                        {t('platform.form.remove')}
                      </Button>
                      {(['from', 'until'] as const).map(
                        (end, which) =>
                          wrong[which] && (
                            <p key={end} id={`${idOf(`${pointer}/${place}/${end}`)}-error`} className={css.error}>
                              {wrong[which]}
                            </p>
                          ),
                      )}
                    </div>
                  )
                })}
              </td>
              <td className={css.act}>
                <Button
                  {...(at === 0 && { id })}
                  size="small"
                  disabled={rows.length >= most}
                  aria-label={t(spans.length > 0 ? 'platform.form.week.more-named' : 'platform.form.week.open-named', {
                    day: name,
                  })}
                  onClick={() => (spans.length > 0 ? put([...rows, { day: String(day.value) }]) : open(at))}
                >
                  {t(spans.length > 0 ? 'platform.form.week.more' : 'platform.form.week.open')}
                </Button>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
