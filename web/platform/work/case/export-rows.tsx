import { Button } from 'antd'
import type { All, Pages } from '../../kernel/api/read.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { csvFile } from './csv.ts'

interface ExportRowsProps<T> {
  /** The register or flow that the list is of: it names the file. */
  of: string
  list: Pages<T>
  /** The heads and the rows. */
  rows(all: All<T>): string[][]
}

/** Saves a list as CSV: all rows that its search and filters find, also those that the page has not loaded yet. */
export function ExportRows<T>({ of, list, rows }: ExportRowsProps<T>) {
  const { t } = useTexts()
  const { busy, download } = useDownload()
  const read = async () => ({ name: `${of.replace('/', '-')}.csv`, content: csvFile(rows(await list.all())) })
  return (
    <Button disabled={!list.items?.length} loading={busy} onClick={() => void download(read)}>
      {t('platform.list.export')}
    </Button>
  )
}
