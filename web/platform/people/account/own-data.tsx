import { Button } from 'antd'
import { ownData } from '../../kernel/api/me.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** All data stored about the reader, as a download. */
export function OwnData() {
  const { t } = useTexts()
  const { busy, download } = useDownload()
  return (
    <Button loading={busy} onClick={() => void download(ownData)}>
      {t('platform.profile.data-download')}
    </Button>
  )
}
