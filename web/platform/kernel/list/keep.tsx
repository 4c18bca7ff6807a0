import { Button, Dropdown } from 'antd'
import type { Sheet } from '../client/client.ts'
import { useDownload } from '../files/download.ts'
import { useTexts } from '../texts/texts.ts'

interface KeepProps<F extends string> {
  formats: readonly F[]
  label(format: F): string
  read(format: F): Promise<Sheet>
}

/** Downloads what is shown, in one of these formats. */
export function Keep<F extends string>({ formats, label, read }: KeepProps<F>) {
  const { t } = useTexts()
  const { busy, download } = useDownload()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: formats.map((format) => ({
          key: format,
          label: label(format),
          onClick: () => void download(() => read(format)),
        })),
      }}
    >
      <Button loading={busy}>{t('platform.list.export')}</Button>
    </Dropdown>
  )
}
