import { chooseLanguage } from '../../kernel/session/session.ts'
import { languages, useTexts } from '../../kernel/texts/texts.ts'
import css from './language-switch.module.css'

/** The three languages in their own names; the present one is marked. */
export function LanguageSwitch() {
  const { t, language } = useTexts()
  return (
    <fieldset className={css['languages']} aria-label={t('platform.language')}>
      {languages.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          aria-pressed={each === language}
          onClick={() => void chooseLanguage(each)}
        >
          {t(`platform.language.${each}`)}
        </button>
      ))}
    </fieldset>
  )
}
