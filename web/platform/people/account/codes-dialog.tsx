import { Button, Modal } from 'antd'
import { useTexts } from '../../kernel/texts/texts.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** New recovery codes; the dialog stays open until the reader confirms that they are stored. */
export default function CodesDialog({ codes, close }: { codes: string[]; close(): void }) {
  const { t } = useTexts()
  return (
    <Modal
      open
      width={480}
      title={t('platform.profile.codes')}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={close}>
          {t('platform.profile.codes-kept')}
        </Button>
      }
    >
      <RecoveryCodes codes={codes} />
    </Modal>
  )
}
