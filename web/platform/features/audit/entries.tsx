import { Button, Dropdown, Input } from 'antd'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import {
  forgetSearch,
  keepSearch,
  searchSheet,
  useAuditEntries,
  useKeptSearches,
  useVocabulary,
  type KeptSearch,
} from '../../kernel/api/audit.ts'
import { withQuery } from '../../kernel/client/client.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { CommonFilters } from './common-filters.tsx'
import { Days } from './days.tsx'
import { EntryTable } from './entry-table.tsx'
import { Found } from './found.tsx'
import { Keep } from '../../kernel/list/keep.tsx'

const asked = ['text', 'reference', 'person', 'part', 'flow', 'desk', 'action', 'from', 'until'] as const

/** Searches the whole audit trail. */
export function Entries() {
  const { t } = useTexts()
  const { chosen, filter } = useFilters(asked)
  const list = useAuditEntries(chosen)
  const words = useVocabulary().data
  const options = (some: { key: string; text: string }[] | undefined) =>
    (some ?? []).map(({ key, text }) => ({ value: key, label: text }))
  return (
    <>
      <Kept />
      <div className={css.filters}>
        <CommonFilters
          label={t('platform.audit-filter.text')}
          chosen={chosen}
          filter={(change) => filter('person' in change ? { ...change, part: '' } : change)}
        />
        {chosen.person !== '' && (
          <Choice
            label={t('platform.audit-filter.part')}
            any={t('platform.audit-filter.any-part')}
            value={chosen.part}
            options={['acted', 'concerned'].map((part) => ({
              value: part,
              label: t(`platform.audit-part-of.${part}`),
            }))}
            onChange={(part) => filter({ part })}
          />
        )}
        <Choice
          showSearch
          label={t('platform.audit-filter.flow')}
          value={chosen.flow}
          options={options(words?.flows)}
          onChange={(flow) => filter({ flow })}
        />
        <Choice
          showSearch
          label={t('platform.audit-filter.desk')}
          value={chosen.desk}
          options={options(words?.desks)}
          onChange={(desk) => filter({ desk })}
        />
        <Choice
          showSearch
          label={t('platform.audit-filter.action')}
          value={chosen.action}
          options={options(words?.actions)}
          onChange={(action) => filter({ action })}
        />
        <Days value={chosen} onChange={filter} />
        <KeepSearch query={chosen} />
        <Keep
          formats={['csv', 'xlsx']}
          label={(format) => t(`platform.audit-format.${format}`)}
          read={(format) => searchSheet(chosen, format)}
        />
      </div>
      <Found list={list}>{(items) => <EntryTable entries={items} />}</Found>
    </>
  )
}

/** The reader's saved searches. */
function Kept() {
  const { t } = useTexts()
  const [path] = useLocation()
  const confirm = useConfirm()
  const attempt = useAction()
  const kept = useKeptSearches().data?.items ?? []
  if (kept.length === 0) return null
  const forget = ({ id, name }: KeptSearch) =>
    confirm({
      title: t('platform.audit-search.forget-question', { name }),
      verb: t('platform.audit-search.forget'),
      danger: true,
      act: () => attempt(() => forgetSearch(id)),
    })
  return (
    <nav className={css.kept} aria-label={t('platform.audit-search.kept')}>
      {kept.map((each) => (
        <span key={each.id}>
          <Link href={withQuery(path, each.query)}>{each.name}</Link>
          <Button
            type="text"
            size="small"
            aria-label={t('platform.audit-search.forget-named', { name: each.name })}
            onClick={() => forget(each)}
          >
            ×
          </Button>
        </span>
      ))}
    </nav>
  )
}

function KeepSearch({ query }: { query: { [name: string]: string } }) {
  const { t } = useTexts()
  const attempt = useAction()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const keep = async () => {
    if (name.trim() === '') return
    const done = await attempt(() => keepSearch(name.trim(), query), t('platform.audit-search.done'))
    if (!done) return
    setOpen(false)
    setName('')
  }
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      disabled={Object.values(query).every((value) => value === '')}
      popupRender={() => (
        <div className={css.popup}>
          <Input
            value={name}
            maxLength={60}
            aria-label={t('platform.audit-search.name')}
            placeholder={t('platform.audit-search.name')}
            onChange={({ target }) => setName(target.value)}
            onPressEnter={() => void keep()}
          />
          <Button type="primary" onClick={() => void keep()}>
            {t('platform.audit-search.keep')}
          </Button>
        </div>
      )}
    >
      <Button>{t('platform.audit-search.keep-this')}</Button>
    </Dropdown>
  )
}
