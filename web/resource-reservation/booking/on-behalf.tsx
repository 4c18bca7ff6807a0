import { App, Button, Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { isNic } from '../../../forms/platform/nic.ts'
import type { FormValue } from '../../platform/kernel/form/conditions.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { fieldsOfBooker, findBooker } from './bookers.ts'
import css from './booking.module.css'
import type { Behalf } from './draft.ts'

interface OnBehalfProps {
  behalf: Behalf | undefined
  /** The form's values from the reader's own account. */
  beginning: FormValue
  /** The person and the fields derived from them; undefined for the reader's own booking. */
  choose(behalf: Behalf | undefined, fields: FormValue): void
}

const nobody: FormValue = {
  ...{ poc_name: undefined, poc_email: undefined, poc_contact_no: undefined, poc_nic: undefined },
  ...{ poc_designation: undefined, reg_no: undefined, employee_id: undefined, salutation: undefined },
  ...{ association_to_uni: undefined, associated_as: undefined },
}

/** For staff who book for others: finds a person by NIC or employee id and fills the form. */
export function OnBehalf({ behalf, beginning, choose }: OnBehalfProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [unknown, setUnknown] = useState(false)

  const search = async () => {
    const sought = typed.trim()
    if (!sought) return
    setBusy(true)
    setUnknown(false)
    try {
      const booker = await findBooker(isNic(sought) ? { nic: sought } : { employee_id: sought })
      setUnknown(!booker)
      // Removes the values of a person found before; typed values stay.
      if (!booker)
        return choose(
          {},
          { ...(behalf?.name === undefined ? {} : nobody), ...(isNic(sought) ? { poc_nic: sought } : {}) },
        )
      choose(
        { name: booker.name, ...(booker.accountId ? { accountId: booker.accountId } : {}) },
        { ...nobody, ...fieldsOfBooker(booker), ...(isNic(sought) ? { poc_nic: sought } : { employee_id: sought }) },
      )
    } catch {
      void message.error(t('platform.error'), 5)
    } finally {
      setBusy(false)
    }
  }

  const said = unknown
    ? t('resource-reservation.behalf.unknown')
    : behalf?.name &&
      t(behalf.accountId ? 'resource-reservation.behalf.for' : 'resource-reservation.behalf.no-account', {
        name: behalf.name,
      })
  return (
    <fieldset className={css.behalf}>
      <legend>{t('resource-reservation.behalf')}</legend>
      <Radio.Group
        value={behalf !== undefined}
        onChange={({ target }) => {
          setUnknown(false)
          if (target.value) choose({}, nobody)
          else choose(undefined, { ...nobody, ...beginning })
        }}
      >
        <Radio value={false}>{t('resource-reservation.behalf.mine')}</Radio>
        <Radio value={true}>{t('resource-reservation.behalf.other')}</Radio>
      </Radio.Group>
      {behalf && (
        <div role="search">
          <label htmlFor={id}>{t('resource-reservation.behalf.search')}</label>
          <div className={css.pair}>
            <Input
              id={id}
              value={typed}
              autoComplete="off"
              style={{ maxWidth: 280 }}
              onChange={({ target }) => setTyped(target.value)}
              onPressEnter={(event) => {
                event.preventDefault()
                void search()
              }}
            />
            <Button loading={busy} onClick={() => void search()}>
              {t('resource-reservation.filter.search')}
            </Button>
          </div>
          <p role="status">{said}</p>
        </div>
      )}
    </fieldset>
  )
}
