import DmnModeler from 'dmn-js/lib/Modeler.js'
import 'dmn-js/dist/assets/diagram-js.css'
import 'dmn-js/dist/assets/dmn-font/css/dmn-embedded.css'
import 'dmn-js/dist/assets/dmn-js-decision-table-controls.css'
import 'dmn-js/dist/assets/dmn-js-decision-table.css'
import 'dmn-js/dist/assets/dmn-js-drd.css'
import 'dmn-js/dist/assets/dmn-js-shared.css'
import { Alert, Button, Input, InputNumber, Select } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { checkTable, tryTable, type TableAnswer, type TableCheck } from '../../../kernel/api/scenarios.ts'
import { useAct } from '../../../kernel/states/act.ts'
import { Trouble } from '../../../kernel/states/trouble.tsx'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { inDialect, tablesOf, type TableInputs } from './dialect.ts'
import css from './editor.module.css'

interface EditorProps {
  process: string
  /** The document as opened; a change that was not made here replaces what is shown. */
  content: string
  onChange: (content: string) => void
}

/** Delay in milliseconds between the last change and reading, saving and checking the table. */
const pause = 400

/** A decision table to edit and try; gaps and overlaps are listed beside it. */
export function DecisionEditor({ process, content, onChange }: EditorProps) {
  const { t } = useTexts()
  const host = useRef<HTMLDivElement>(null)
  const written = useRef<string>(undefined)
  const told = useRef(onChange)
  /** The current document, from here or from outside. */
  const [now, setNow] = useState(content)
  const [opened, setOpened] = useState(content)
  const [problem, setProblem] = useState<unknown>()
  const [check, setCheck] = useState<TableCheck>()
  const [checking, setChecking] = useState<unknown>()
  const [marked, setMarked] = useState<readonly string[]>([])

  useEffect(() => {
    told.current = onChange
  }, [onChange])

  useEffect(() => {
    // Our own change returns as `content`; it is already shown.
    if (content !== written.current) setOpened(content)
  }, [content])

  useEffect(() => {
    if (!host.current) return
    const modeler = new DmnModeler({ container: host.current })
    let dropped = false
    let waiting: ReturnType<typeof setTimeout> | undefined
    const save = async () => {
      const { xml } = await modeler.saveXML({ format: true })
      if (dropped) return
      const saved = inDialect(xml)
      written.current = saved
      setNow(saved)
      told.current(saved)
    }
    const open = async () => {
      await modeler.importXML(opened)
      const table = modeler.getViews().find(({ type }) => type === 'decisionTable')
      if (table && !dropped) await modeler.open(table)
      if (dropped) return
      // The corner above the row numbers is no column heading.
      for (const corner of host.current?.querySelectorAll('th.index-column') ?? []) corner.setAttribute('role', 'cell')
      modeler.getActiveViewer()?.on('commandStack.changed', () => {
        clearTimeout(waiting)
        waiting = setTimeout(() => void save().catch((error: unknown) => setProblem(error)), pause)
      })
    }
    setProblem(undefined)
    setNow(opened)
    open().catch((error: unknown) => !dropped && setProblem(error))
    return () => {
      dropped = true
      clearTimeout(waiting)
      modeler.destroy()
    }
  }, [opened])

  useEffect(() => {
    let dropped = false
    const timer = setTimeout(() => {
      checkTable(process, now).then(
        (found) => {
          if (dropped) return
          setCheck(found)
          setChecking(undefined)
        },
        (error: unknown) => !dropped && setChecking(error),
      )
    }, pause)
    return () => {
      dropped = true
      clearTimeout(timer)
    }
  }, [process, now])

  useEffect(() => {
    const cells = marked.flatMap((id) => cellsOf(host.current, id))
    const mark = css['marked'] ?? ''
    for (const cell of cells) cell.classList.add(mark)
    cells[0]?.scrollIntoView({ block: 'nearest' })
    return () => {
      for (const cell of cells) cell.classList.remove(mark)
    }
  }, [marked])

  return (
    <section className={css['editor']} aria-label={t('platform.studio-table')}>
      {problem !== undefined && <Trouble error={problem} />}
      <div ref={host} className={css['table']} data-tables={tablesOf(now).length} />
      <div className={css['beside']}>
        <Try process={process} dmn={now} onAnswer={({ rules }) => setMarked(rules)} />
        <div className={css['found']}>
          <h2>{t('platform.studio-table.found')}</h2>
          {checking !== undefined && <Trouble error={checking} />}
          {check && <Found check={check} onJump={setMarked} />}
        </div>
      </div>
    </section>
  )
}

function cellsOf(host: HTMLElement | null, rule: string): HTMLElement[] {
  return [...(host?.querySelectorAll<HTMLElement>(`[data-row-id="${CSS.escape(rule)}"]`) ?? [])]
}

/** Gaps and overlaps of the table in words; naming a row scrolls to it. */
function Found({
  check: { problems, gaps, overlaps },
  onJump,
}: {
  check: TableCheck
  onJump: (rows: string[]) => void
}) {
  const { t } = useTexts()
  if (problems.length + gaps.length + overlaps.length === 0) return <p>{t('platform.studio-table.nothing-found')}</p>
  return (
    <ul className={css['list']}>
      {gaps.map(({ words }) => (
        <li key={words}>{words}</li>
      ))}
      {overlaps.map(({ words, rules }) => (
        <li key={words}>
          {rules.length === 0 ? (
            words
          ) : (
            <Button type="link" className={css['jump']} onClick={() => onJump(rules)}>
              {words}
            </Button>
          )}
        </li>
      ))}
      {problems.map(({ element, reason }) => (
        <li key={element + reason}>
          <Button type="link" className={css['jump']} onClick={() => onJump([element])}>
            {reason}
          </Button>
        </li>
      ))}
    </ul>
  )
}

type Given = string | number | boolean | null

/** Inputs to try: which row matches, and its result. */
function Try({ process, dmn, onAnswer }: { process: string; dmn: string; onAnswer: (answer: TableAnswer) => void }) {
  const { t } = useTexts()
  const tables = tablesOf(dmn)
  const [chosen, setChosen] = useState(0)
  const [given, setGiven] = useState<Record<string, Given>>({})
  const [answer, setAnswer] = useState<TableAnswer>()
  const act = useAct()
  const table = tables[chosen] ?? tables[0]
  if (!table) return null
  const ask = () =>
    void act.run(async () => {
      const inputs = Object.fromEntries(table.inputs.map(({ variable }) => [variable, given[variable] ?? null]))
      const found = await tryTable(process, dmn, table.id, inputs)
      setAnswer(found)
      onAnswer(found)
    })
  return (
    <form
      className={css['try']}
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <h2>{t('platform.studio-table.try')}</h2>
      {tables.length > 1 && (
        <Select
          aria-label={t('platform.studio-table.which')}
          value={chosen}
          options={tables.map(({ name, id }, value) => ({ value, label: name || id }))}
          onChange={setChosen}
        />
      )}
      {table.inputs.map((input) => (
        <InputField
          key={input.variable}
          input={input}
          value={given[input.variable] ?? null}
          onChange={(value) => setGiven({ ...given, [input.variable]: value })}
        />
      ))}
      <Button htmlType="submit" type="primary" loading={act.busy}>
        {t('platform.studio-table.ask')}
      </Button>
      {act.refusal && <Alert type="error" showIcon title={act.refusal} />}
      {answer && !act.busy && (
        <p role="status">
          {answer.rules.length === 0
            ? t('platform.studio-table.no-row')
            : t('platform.studio-table.answer', {
                rows: answer.rules.map((rule) => rowNumber(dmn, rule)).join(', '),
                result: answer.outputs.flatMap((row) => Object.values(row).map(String)).join(', '),
              })}
        </p>
      )}
    </form>
  )
}

function rowNumber(dmn: string, rule: string): number {
  const document = new DOMParser().parseFromString(dmn, 'application/xml')
  const row = [...document.getElementsByTagName('*')].find((one) => one.getAttribute('id') === rule)
  const rows = [...(row?.parentElement?.children ?? [])].filter(({ localName }) => localName === 'rule')
  return row ? rows.indexOf(row) + 1 : 0
}

function InputField({
  input: { label, type },
  value,
  onChange,
}: {
  input: TableInputs['inputs'][number]
  value: Given
  onChange: (value: Given) => void
}) {
  const { t } = useTexts()
  const id = useId()
  const numbers = ['integer', 'long', 'double', 'number']
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {type === 'boolean' ? (
        <Select
          id={id}
          allowClear
          value={value === null ? null : String(value)}
          options={['true', 'false'].map((one) => ({ value: one, label: t(`platform.studio-table.${one}`) }))}
          onChange={(next) => onChange(next === undefined || next === null ? null : next === 'true')}
        />
      ) : numbers.includes(type) ? (
        <InputNumber id={id} value={typeof value === 'number' ? value : null} onChange={onChange} />
      ) : (
        <Input
          id={id}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  )
}
