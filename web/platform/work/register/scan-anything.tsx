import { Button, Input, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { ScanButton, fetchScanner } from '../../kernel/camera/scan-button.tsx'
import { Problem, request, withQuery } from '../../kernel/client/client.ts'
import type { LookUpScanned } from '../../kernel/client/operations.generated.ts'
import { dropKept, keep, keptAt } from '../../kernel/session/typed.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './scan-anything.module.css'
import { verifiableIn } from './verifiable.ts'

type Found = LookUpScanned['answer']['items'][number]

/** A code that was read, and what it stands for once the server has said so. */
interface Read {
  code: string
  found?: Found[]
}

/** Codes that are listed with what they stand for, at most. */
const MOST_FOUND = 20

const isWaiting = ({ found }: Read) => found === undefined

/** Codes that wait to be looked up are not lost with the page; what they stand for is kept nowhere. */
const placeOf = (account: string) => `${account}.scanned`

function keepWaiting(account: string, reads: readonly Read[]): void {
  const codes = reads.filter(isWaiting).map(({ code }) => code)
  if (codes.length > 0) keep(placeOf(account), codes, 'browser')
  else dropKept(placeOf(account), 'browser')
}

/**
 * Reads codes with the camera, or typed, and says what each stands for. They are read without a network; what was read
 * then is kept, and looked up once the network is back.
 */
export default function ScanAnything({ account, close }: { account: string; close(): void }) {
  const { t } = useTexts()
  const [reads, setReads] = useState<Read[]>(() =>
    (keptAt<string[]>(placeOf(account), 'browser') ?? []).map((code) => ({ code })),
  )
  const [typed, setTyped] = useState('')
  useEffect(() => keepWaiting(account, reads), [account, reads])
  useEffect(() => void fetchScanner().catch(() => undefined), [])

  const waiting = reads.findLast(isWaiting)?.code
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (waiting === undefined) return
    let gone = false
    const lookUp = async () => {
      const found = await lookedUp(waiting)
      if (gone || !found) return
      setReads((now) => now.map((one) => (one.code === waiting ? { ...one, found } : one)))
    }
    void lookUp()
    return () => void (gone = true)
  }, [waiting, tries])
  useEffect(() => {
    const again = () => setTries((count) => count + 1)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])

  const read = (wanted: string) => {
    const code = wanted.trim().slice(0, 120)
    if (code === '') return
    setTyped('')
    setReads((now) => {
      const others = now.filter((one) => one.code !== code)
      const found = others.filter((one) => !isWaiting(one)).slice(0, MOST_FOUND)
      return [{ code }, ...others.filter((one) => isWaiting(one) || found.includes(one))]
    })
    setTries((count) => count + 1)
  }
  return (
    <Modal open title={t('platform.scan.title')} footer={null} onCancel={close} destroyOnHidden>
      <p>{t('platform.scan.about')}</p>
      <div className={css['enter']}>
        <Input.Search
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onSearch={read}
          enterButton={t('platform.inbox.scan-find')}
          placeholder={t('platform.inbox.scan')}
          aria-label={t('platform.inbox.scan')}
          autoComplete="off"
          maxLength={120}
        />
        <ScanButton onRead={read} />
      </div>
      <ul className={css['reads']} aria-live="polite">
        {reads.map(({ code, found }) => (
          <li key={code}>
            <code>{code}</code>
            {found === undefined && <span className={css['soft']}>{t('platform.scan.waits')}</span>}
            {found?.map(({ id, register, title, what }) => (
              <Link key={id} href={`/registers/${register}/${id}`} onClick={close}>
                {what}: {title}
              </Link>
            ))}
            {found?.length === 0 && <NotFound code={code} close={close} />}
          </li>
        ))}
      </ul>
      {reads.length > 0 && (
        <Button type="link" onClick={() => setReads([])}>
          {t('platform.scan.clear')}
        </Button>
      )}
    </Modal>
  )
}

/** What a code stands for; undefined if nobody could be asked. What the server refuses stands for nothing. */
async function lookedUp(code: string): Promise<Found[] | undefined> {
  try {
    return (await request<LookUpScanned['answer']>('GET', withQuery('/api/scanned', { code }))).items
  } catch (error) {
    return error instanceof Problem && [400, 404, 422].includes(error.status) ? [] : undefined
  }
}

function NotFound({ code, close }: { code: string; close(): void }) {
  const { t } = useTexts()
  const verifiable = verifiableIn(code)
  return verifiable ? (
    <Link href={`/verify/${verifiable}`} onClick={close}>
      {t('platform.scan.verify')}
    </Link>
  ) : (
    <span className={css['soft']}>{t('platform.inbox.scan-none', { code })}</span>
  )
}
