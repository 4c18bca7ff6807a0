import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../texts/texts.ts'

const ScanDialog = lazy(() => import('./scan-dialog.tsx'))

interface ScanButtonProps {
  /** What a code must match, as of a schema; absent: any code is taken. */
  pattern?: string | undefined
  onRead(code: string): void
}

/** A button beside a field for a code, which reads the code with the camera. */
export function ScanButton({ pattern, onRead }: ScanButtonProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<CameraOutlined />} onClick={() => setOpen(true)}>
        {t('platform.camera.scan')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ScanDialog
            pattern={pattern}
            onRead={(code) => {
              setOpen(false)
              onRead(code)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
