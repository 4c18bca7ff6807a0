import { Alert, App, Button, Input, Upload } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Problem, send, withQuery } from '../../kernel/client/client.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords, Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './import.module.css'
import { Reading } from './import-progress.tsx'
import { importItems, registerOf, useRegister, type Imported, type ImportStep, type Register } from './registers.ts'

/** The API's limit for one request, in bytes; 5,000 long lines stay below it. */
const MAX_FILE_BYTES = 4_000_000

/** Imports entries from a CSV file: checked first, then all lines, or those without errors. */
export default function ImportPage(props: PageProps) {
  const { t } = useTexts()
  const { data: register, error, mutate } = useRegister(registerOf(props))
  return (
    <div className={page.page}>
      {register ? (
        <>
          <PageHeader
            back={{ href: `/registers/${register.register}`, title: t(register.title) }}
            title={t('platform.register-import.title', { name: t(register.title) })}
          />
          {register.mayImport ? (
            <Import register={register} />
          ) : (
            <Empty title={t('platform.register-import.not-for-files')}>
              {t('platform.register-import.not-for-files-detail')}
            </Empty>
          )}
        </>
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

/** The references in the address, which rows get if their file has no such column. */
function useFilled({ item }: Register): { name: string; value: string; label: string }[] {
  const { t } = useTexts()
  const query = new URLSearchParams(useSearch())
  return Object.entries(item.properties ?? {}).flatMap(([name, { title, ...schema }]) => {
    const value = query.get(name)
    return schema['x-register'] && value !== null ? [{ name, value, label: t(title ?? name) }] : []
  })
}

function Import({ register }: { register: Register }) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [, navigate] = useLocation()
  const filled = useFilled(register)
  const [csv, setCsv] = useState('')
  const [found, setFound] = useState<Imported>()
  /** The id of the import that runs. */
  const [running, setRunning] = useState<string>()
  const busy = running !== undefined
  const [refusal, setRefusal] = useState<string>()

  const fill = Object.fromEntries(filled.map(({ name, value }) => [name, value]))
  // Back to the entries that it is about, such as the students of one intake.
  const list = withQuery(`/registers/${register.register}`, fill)
  const put = (text: string) => {
    setCsv(text)
    setFound(undefined)
    setRefusal(undefined)
  }
  const run = async (text: string, step: ImportStep) => {
    const progress = crypto.randomUUID()
    setRunning(progress)
    setRefusal(undefined)
    try {
      const result = await importItems(register.register, { csv: text, fill, progress }, step)
      setFound(result)
      if (result.added === 0) return
      void message.success(t('platform.register-import.done', { count: result.added }), 5)
      // What was left out stays in view, and cannot be sent again.
      if (result.errorCount > 0) return setCsv('')
      navigate(list)
    } catch (error) {
      const words = inWords(error, t)
      setRefusal(
        error instanceof Problem && error.status === 413
          ? t('platform.register-import.too-large', { size: '4 MB' })
          : `${words.title}. ${words.detail}`,
      )
    } finally {
      setRunning(undefined)
    }
  }
  const choose = async (file: File) => {
    put('')
    if (file.size > MAX_FILE_BYTES) return setRefusal(t('platform.register-import.too-large', { size: '4 MB' }))
    const text = await readText(file)
    if (text === undefined) return setRefusal(t('platform.import.not-utf8'))
    put(text)
    await run(text, 'check')
  }
  const template = async () => {
    const answer = await send('GET', `/api/registers/${register.register}/template.csv`)
    const address = URL.createObjectURL(await answer.blob())
    const name = `${register.register.replace('/', '-')}.csv`
    Object.assign(document.createElement('a'), { href: address, download: name }).click()
    URL.revokeObjectURL(address)
  }
  const ready = found !== undefined && found.errorCount === 0
  const left = found !== undefined && found.errorCount > 0 && found.added === 0 ? found.right : 0
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void run(csv, ready ? 'add' : 'check')
      }}
    >
      <p className={css.help}>
        {t('platform.register-import.help')}{' '}
        <Button type="link" className={css.link ?? ''} onClick={() => void template()}>
          {t('platform.register-import.template')}
        </Button>
      </p>
      {filled.length > 0 && (
        <p className={css.help}>
          {t('platform.register-import.filled', { columns: filled.map(({ label }) => label).join(', ') })}
        </p>
      )}
      <label htmlFor="csv-file">{t('platform.register-import.file')}</label>
      <Upload
        id="csv-file"
        accept=".csv,.txt,text/csv"
        showUploadList={false}
        beforeUpload={(file) => {
          void choose(file)
          // Prevents the upload: the page reads the file itself.
          return false
        }}
      >
        <Button>{t('platform.form.file.choose')}</Button>
      </Upload>
      <label htmlFor="csv-text">{t('platform.register-import.paste')}</label>
      <Input.TextArea
        id="csv-text"
        className={css.text ?? ''}
        value={csv}
        spellCheck={false}
        autoSize={{ minRows: 4, maxRows: 8 }}
        onChange={(event) => put(event.target.value)}
      />
      {refusal && <Alert type="error" role="alert" showIcon className={css.said ?? ''} title={refusal} />}
      {running !== undefined && <Reading register={register.register} csv={csv} id={running} />}
      {found && <Found found={found} />}
      <div className={css.acts}>
        <Button type="primary" htmlType="submit" loading={busy} disabled={csv.trim() === ''}>
          {ready ? t('platform.register-import.commit', { count: found.rows }) : t('platform.register-import.look')}
        </Button>
        {left > 0 && (
          <Button loading={busy} onClick={() => void run(csv, 'leave-out')}>
            {t('platform.register-import.leave-out', { count: left })}
          </Button>
        )}
        <Link href={list} asChild>
          <Button>{t('platform.cancel')}</Button>
        </Link>
      </div>
    </form>
  )
}

/** The text of a file, undefined if it is not UTF-8. */
async function readText(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** A table larger than its place; keyboard users scroll it with the arrow keys. */
function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus arrow keys would not reach it
    <div className={css.scroll} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  )
}

/** Whether the file can be imported, or what became of it. */
function Verdict({ found: { rows, errorCount, added } }: { found: Imported }) {
  const { t } = useTexts()
  const [type, title, description] =
    added > 0
      ? ([
          'warning',
          t('platform.register-import.done', { count: added }),
          'platform.register-import.left-out',
        ] as const)
      : errorCount === 0
        ? (['success', t('platform.register-import.ready', { count: rows })] as const)
        : ([
            'error',
            t('platform.register-import.wrong', { count: errorCount }),
            'platform.register-import.wrong-detail',
          ] as const)
  return (
    <Alert
      type={type}
      role={type === 'error' ? 'alert' : 'status'}
      showIcon
      className={css.said ?? ''}
      title={title}
      description={description && t(description)}
    />
  )
}

function Found({ found }: { found: Imported }) {
  const { t } = useTexts()
  const { columns, titles, errors, errorCount, preview } = found
  const label = (column: string) => t(titles[column] ?? column)
  const wrongAt = new Map(errors.map((error) => [`${error.line} ${error.column}`, error.message]))
  return (
    <>
      <Verdict found={found} />
      {errors.length > 0 && (
        <section>
          {errors.length < errorCount && (
            <h2>{t('platform.register-import.first-errors', { count: errors.length })}</h2>
          )}
          <Scroll label={t('platform.register-import.reason')}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">{t('platform.register-import.line')}</th>
                  <th scope="col">{t('platform.register-import.column')}</th>
                  <th scope="col">{t('platform.register-import.reason')}</th>
                  <th scope="col">{t('platform.register-import.value')}</th>
                </tr>
              </thead>
              <tbody>
                {errors.map(({ line, column, code, message, value }) => (
                  <tr key={`${line} ${column} ${code} ${value}`}>
                    <td className={css.number}>{line}</td>
                    <td>{column ? label(column) : t('platform.register-import.whole-line')}</td>
                    <td>{message}</td>
                    <td>{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </section>
      )}
      {preview.length > 0 && (
        <section>
          <h2>{t('platform.register-import.first-rows', { count: preview.length })}</h2>
          <Scroll label={t('platform.register-import.first-rows', { count: preview.length })}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">{t('platform.register-import.line')}</th>
                  {columns.map((column) => (
                    <th key={column} scope="col">
                      {label(column)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {preview.map(({ line, cells }) => (
                  <tr key={line}>
                    <td className={css.number}>{line}</td>
                    {columns.map((column) => {
                      const wrong = wrongAt.get(`${line} ${column}`)
                      return (
                        <td key={column} data-wrong={wrong !== undefined || undefined}>
                          {cells[column]}
                          {wrong !== undefined && <span className={css.wrong}>{wrong}</span>}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </section>
      )}
    </>
  )
}
