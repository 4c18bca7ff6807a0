import { useTexts } from '../../kernel/texts/texts.ts'
import css from './skip-link.module.css'

/** The first stop of the keyboard: past the menus to the content. */
export function SkipLink() {
  const { t } = useTexts()
  return (
    <a className={css['skip']} href="#main">
      {t('platform.shell.skip')}
    </a>
  )
}
