import { Modal, Switch } from 'antd'
import { Fragment, useId } from 'react'
import { useTexts } from '../texts/texts.ts'
import css from './shortcut-help.module.css'
import { presentShortcuts, showShortcutHelp, turnShortcuts, useShortcutHelp, useShortcutsOn } from './shortcuts.ts'

/** Every shortcut of this page, and the switch that turns single letters off. */
export default function ShortcutHelp() {
  const { t } = useTexts()
  const on = useShortcutsOn()
  const open = useShortcutHelp()
  const id = useId()
  return (
    <Modal
      open={open}
      title={t('platform.keyboard.title')}
      width={640}
      footer={null}
      onCancel={() => showShortcutHelp(false)}
    >
      <div className={css['groups']}>
        {open &&
          presentShortcuts().map(({ title, shortcuts }) => (
            <section key={title}>
              <h2>{t(title)}</h2>
              <dl>
                {shortcuts.map((each) => (
                  <Fragment key={`${each.key} ${each.title}`}>
                    <dt>
                      <kbd data-off={(!on && each.key.length === 1) || undefined}>{each.key}</kbd>
                    </dt>
                    <dd>{t(each.title)}</dd>
                  </Fragment>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <p className={css['switch']}>
        <Switch id={id} checked={on} onChange={turnShortcuts} aria-describedby={`${id}-help`} />
        <label htmlFor={id}>{t('platform.keyboard.on')}</label>
        <small id={`${id}-help`}>{t('platform.keyboard.on-help')}</small>
      </p>
    </Modal>
  )
}
