import { App, Button } from 'antd'
import { save } from '../../kernel/files/save.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'

/** The recovery codes, shown only once. The print layout has nothing else on the page. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { t } = useTexts()
  const me = useMe()
  const { message } = App.useApp()
  const text = `${t('platform.profile.codes-of', { name: me.username })}\n\n${codes.join('\n')}\n`
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    void message.success(t('platform.profile.codes-copied'))
  }
  return (
    <div data-print-alone>
      <p>{t('platform.profile.codes-once')}</p>
      <p className={css['printed']}>{t('platform.profile.codes-of', { name: me.username })}</p>
      <ol className={css['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={`${css['actions']} no-print`}>
        <Button onClick={() => void copy()}>{t('platform.profile.codes-copy')}</Button>
        <Button onClick={() => save('prakriya-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}>
          {t('platform.profile.codes-download')}
        </Button>
        <Button onClick={() => window.print()}>{t('platform.profile.codes-print')}</Button>
      </div>
    </div>
  )
}
