import { Input } from 'antd'
import { useState } from 'react'
import { ScanButton } from '../../kernel/camera/scan-button.tsx'
import { signLines } from '../../kernel/api/runs.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './run.module.css'

/** The scan field at the counter: a scanner types a student's code and Enter, or the camera reads it. */
export function Scan({ caseId }: { caseId: string }) {
  const { t } = useTexts()
  const { money } = useFormats()
  const attempt = useAction()
  const [code, setCode] = useState('')
  const [said, setSaid] = useState('')
  const note = (typed: string) =>
    attempt(async () => {
      const { byCode, refused } = await signLines(caseId, { codes: [typed.trim().toLowerCase()] })
      const [first] = refused
      const [student] = byCode
      setSaid(
        first
          ? `${first.name}: ${first.message}`
          : student
            ? t('platform.run.scan-signed', { ...student, amount: money(student.total) })
            : t('platform.run.scan-nothing'),
      )
      setCode('')
    })
  return (
    <div className={`${css['scan']} no-print`}>
      <Input.Search
        value={code}
        onChange={({ target }) => setCode(target.value)}
        onSearch={(typed) => void (typed.trim() === '' ? undefined : note(typed))}
        enterButton={t('platform.run.scan-note')}
        placeholder={t('platform.run.scan')}
        aria-label={t('platform.run.scan')}
        maxLength={40}
      />
      <ScanButton pattern="^[0-9A-Fa-f]{32}$" onRead={(read) => void note(read)} />
      <output>{said}</output>
    </div>
  )
}
