import { Alert, App, Button, Input, Upload } from 'antd'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useAct } from '../../kernel/states/act.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { importGrants, type Imported } from './people.ts'
import { EffectOnPerson } from './effect.tsx'
import css from './people.module.css'

const header = 'username,role,scope_kind,scope_code,starts,ends,reason'
/** The API's limit in characters. */
const largest = 400_000

/** Gives many roles at once from a CSV file: checked first, then all of them or none. */
export default function ImportPage({ title }: PageProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [, navigate] = useLocation()
  const { run, busy, refusal, clear } = useAct()
  const [csv, setCsv] = useState('')
  const [looked, setLooked] = useState<Imported>()
  const [tooLarge, setTooLarge] = useState<string>()

  const put = (text: string) => {
    setCsv(text)
    setLooked(undefined)
    clear()
  }
  const look = (text: string) => run(async () => setLooked(await importGrants(text, false)))
  const choose = async (file: File) => {
    const text = await file.text()
    setTooLarge(text.length > largest ? file.name : undefined)
    if (text.length > largest) return
    put(text)
    await look(text)
  }
  const commit = () =>
    run(async () => {
      const done = await importGrants(csv, true)
      if (done.errors.length > 0) return setLooked(done)
      void message.success(t('platform.role-import.done', { count: done.added }), 5)
      navigate('/people')
    })
  const fresh = looked && looked.errors.length === 0 ? looked.added : undefined
  return (
    <div className={page.item}>
      <PageHeader back={{ href: '/people', title: t('platform.screen.people') }} title={t(title)} />
      <p className={css.note}>{t('platform.role-import.detail')}</p>
      <p className={css.long}>
        <code>{header}</code>
      </p>
      <form
        className={css.csv}
        onSubmit={(event) => {
          event.preventDefault()
          void (fresh === undefined ? look(csv) : commit())
        }}
      >
        <div className={page.acts}>
          <Upload
            accept=".csv,text/csv"
            showUploadList={false}
            beforeUpload={(file) => {
              void choose(file)
              // Prevents the upload: the page reads the file itself.
              return false
            }}
          >
            <Button>{t('platform.form.file.choose')}</Button>
          </Upload>
        </div>
        {tooLarge && <p role="alert">{t('platform.form.file.too-large', { name: tooLarge, size: '400 KB' })}</p>}
        <label htmlFor="csv-text">{t('platform.role-import.text')}</label>
        <Input.TextArea
          id="csv-text"
          value={csv}
          onChange={(event) => put(event.target.value)}
          autoSize={{ minRows: 6, maxRows: 16 }}
          placeholder={`${header}\nhod.ballet,Dean,faculty,FDD,01/09/2026,,Council decision 512`}
          spellCheck={false}
        />
        {looked && <Found looked={looked} />}
        {refusal && <Alert type="error" role="alert" title={refusal} />}
        <div className={page.acts} style={{ marginTop: 16 }}>
          {fresh === undefined ? (
            <Button type="primary" htmlType="submit" loading={busy} disabled={csv.trim() === ''}>
              {t('platform.role-import.look')}
            </Button>
          ) : (
            <Button type="primary" htmlType="submit" loading={busy} disabled={fresh === 0}>
              {t('platform.role-import.commit', { count: fresh })}
            </Button>
          )}
          <Link href="/people" asChild>
            <Button>{t('platform.cancel')}</Button>
          </Link>
        </div>
      </form>
    </div>
  )
}

/** The result of the check: how many roles, or the errors by line and column. */
function Found({ looked }: { looked: Imported }) {
  const { t } = useTexts()
  const { errors, errorCount, added, unchanged, effect } = looked
  if (errors.length === 0)
    return (
      <section aria-live="polite">
        <Alert
          type={added > 0 ? 'success' : 'info'}
          showIcon
          title={t('platform.role-import.ready', { count: added })}
          description={unchanged > 0 ? t('platform.role-import.unchanged', { count: unchanged }) : undefined}
        />
        {effect && effect.people > 0 && <Effects of={effect} />}
      </section>
    )
  const labels = {
    line: t('platform.role-import.line'),
    column: t('platform.role-import.column'),
    message: t('platform.role-import.message'),
    value: t('platform.role-import.value'),
  }
  return (
    <section>
      <Alert type="error" role="alert" showIcon title={t('platform.role-import.wrong', { count: errorCount })} />
      <DataTable
        rows={errors}
        keyOf={({ line, column, code }) => `${line} ${column} ${code}`}
        columns={[
          { label: labels.line, cell: ({ line }) => line },
          { label: labels.column, cell: ({ column }) => column },
          { label: labels.message, cell: ({ message }) => message },
          { label: labels.value, cell: ({ value }) => value, long: true },
        ]}
      />
    </section>
  )
}

/** What the file would do: how many people, and what the first of them could open and would find in their inbox. */
function Effects({ of: { people, first } }: { of: NonNullable<Imported['effect']> }) {
  const { t } = useTexts()
  return (
    <section className={css.effect} aria-label={t('platform.people.effect')}>
      <h3>{t('platform.people.effect')}</h3>
      <p>{t('platform.role-import.people', { count: people })}</p>
      {first.map((one) => (
        <EffectOnPerson key={one.id} name={one.name} effect={one} />
      ))}
      {people > first.length && <p>{t('platform.role-import.more-people', { count: people - first.length })}</p>}
    </section>
  )
}
