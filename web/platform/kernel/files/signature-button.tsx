import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../texts/texts.ts'

const SignatureDialog = lazy(() => import('./signature-dialog.tsx'))

interface SignatureButtonProps {
  disabled: boolean
  onSigned(signature: File): void
}

/** Signs on the screen, instead of choosing a file. */
export function SignatureButton({ disabled, onSigned }: SignatureButtonProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<EditOutlined />} disabled={disabled} onClick={() => setOpen(true)}>
        {t('platform.signature.sign')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <SignatureDialog
            onDone={(signature) => {
              setOpen(false)
              if (signature) onSigned(signature)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
