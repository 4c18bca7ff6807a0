import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import type { Sheet } from '../api/client.ts'
import { save } from '../files/save.ts'
import { useDo } from '../states/act.ts'
import { useTexts } from '../texts/texts.ts'

/** Takes what is shown along as a file, in one of these formats. */
export function Keep<F extends string>({ formats, read }: { formats: readonly F[]; read(format: F): Promise<Sheet> }) {
  const { t } = useTexts()
  const attempt = useDo()
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
          label: t(`platform.audit-format.${format}`),
          onClick: () => void keep(format),
        })),
      }}
    >
      <Button loading={busy}>{t('platform.list.export')}</Button>
    </Dropdown>
  )
}
