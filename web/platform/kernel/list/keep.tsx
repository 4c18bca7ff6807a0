import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import type { Sheet } from '../client/client.ts'
import { save } from '../files/save.ts'
import { useAction } from '../states/act.ts'
import { useTexts } from '../texts/texts.ts'

interface KeepProps<F extends string> {
  formats: readonly F[]
  label(format: F): string
  read(format: F): Promise<Sheet>
}

/** Downloads what is shown, in one of these formats. */
export function Keep<F extends string>({ formats, label, read }: KeepProps<F>) {
  const { t } = useTexts()
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  const keep = async (format: F) => {
    setBusy(true)
    await attempt(async () => {
      const { name, content } = await read(format)
      save(name, content)
    })
    setBusy(false)
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: formats.map((format) => ({
          key: format,
          label: label(format),
          onClick: () => void keep(format),
        })),
      }}
    >
      <Button loading={busy}>{t('platform.list.export')}</Button>
    </Dropdown>
  )
}
