import { ScanOutlined } from '@ant-design/icons'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Failure } from '../../kernel/states/failure.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './shell.module.css'

const loads = () => import('../../work/register/scan-anything.tsx')
const ScanAnything = lazy(loads)

/** Milliseconds after which a page that is open has the dialog at hand, also if the network goes away then. */
const AT_HAND_AFTER_MS = 4000

/** Scans a code on any page, and leads to what it stands for. */
export function Scan({ account }: { account: string }) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => void loads().catch(() => undefined), AT_HAND_AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return (
    <>
      <button
        type="button"
        className={css['tool']}
        aria-haspopup="dialog"
        aria-label={t('platform.scan.button')}
        onClick={() => setOpen(true)}
      >
        <ScanOutlined />
      </button>
      {open && (
        <Failure at="scan">
          <Suspense fallback={null}>
            <ScanAnything account={account} close={() => setOpen(false)} />
          </Suspense>
        </Failure>
      )}
    </>
  )
}
