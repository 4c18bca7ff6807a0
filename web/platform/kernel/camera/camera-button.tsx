import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState, type ReactNode } from 'react'

interface CameraButtonProps {
  label: string
  disabled?: boolean
  /** The dialog, which may load when it is first opened; it gets how to close it. */
  dialog(close: () => void): ReactNode
}

/** A button that opens a dialog with the camera. */
export function CameraButton({ label, disabled = false, dialog }: CameraButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<CameraOutlined />} disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <Suspense fallback={null}>{dialog(() => setOpen(false))}</Suspense>}
    </>
  )
}
