import { Button } from 'antd'
import { useState } from 'react'
import { ownData } from '../../kernel/api/me.ts'
import { save } from '../../kernel/files/save.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useAction } from '../../kernel/states/act.ts'

/** All data stored about the reader, as a download. */
export function OwnData() {
  const { t } = useTexts()
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    await attempt(async () => {
      const { name, content } = await ownData()
      save(name, content)
    })
    setBusy(false)
  }
  return (
    <Button loading={busy} onClick={() => void download()}>
      {t('platform.profile.data-download')}
    </Button>
  )
}
