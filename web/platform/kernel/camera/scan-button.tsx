import { lazy } from 'react'
import { useTexts } from '../texts/texts.ts'
import { CameraButton } from './camera-button.tsx'
import { fetchCodeReader } from './codes.ts'

const loads = () => import('./scan-dialog.tsx')
const ScanDialog = lazy(loads)

/** Loads the dialog and its reader, so that codes are read without a network, too. */
export async function fetchScanner(): Promise<void> {
  await Promise.all([loads(), fetchCodeReader()])
}

interface ScanButtonProps {
  /** What a code must match, as of a schema; absent: any code is taken. */
  pattern?: string | undefined
  /** What came of the last code, for reading one after the other: the camera then stays open. */
  came?: string
  onRead(code: string): void
}

/** A button beside a field for a code, which reads the code with the camera. */
export function ScanButton({ pattern, came, onRead }: ScanButtonProps) {
  const { t } = useTexts()
  return (
    <CameraButton
      label={t('platform.camera.scan')}
      dialog={(close) => (
        <ScanDialog
          pattern={pattern}
          came={came}
          onRead={(code) => {
            if (came === undefined) close()
            onRead(code)
          }}
          onClose={close}
        />
      )}
    />
  )
}
