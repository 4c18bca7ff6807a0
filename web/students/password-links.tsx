import { Alert, Button } from 'antd'
import { useState, type Key } from 'react'
import { Link } from 'wouter'
import { request, withQuery } from '../platform/kernel/client/client.ts'
import type { ListStudentLinks, SendPasswordLinks } from '../platform/kernel/client/operations.generated.ts'
import { usePages, useRead } from '../platform/kernel/api/read.ts'
import { Choice } from '../platform/kernel/list/choice.tsx'
import { useFilters } from '../platform/kernel/list/filters.ts'
import { ListPage, type Column } from '../platform/kernel/list/list-page.tsx'
import cells from '../platform/kernel/list/list-page.module.css'
import { FacultyName } from '../platform/kernel/record/faculty.tsx'
import { FieldFilter } from '../platform/work/register/field-filter.tsx'
import { statusName } from '../platform/kernel/status/item-status.ts'
import { fieldWithin, useItem } from '../platform/work/register/registers.ts'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { useAct } from '../platform/kernel/states/act.ts'
import { useConfirm } from '../platform/kernel/states/confirm.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { useMe } from '../platform/kernel/session/session.ts'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { Mark } from '../platform/kernel/status/mark.tsx'
import { useTexts, type Translate } from '../platform/kernel/texts/texts.ts'
import css from './password-links.module.css'

type Student = ListStudentLinks['answer']['items'][number]
type Sent = SendPasswordLinks['answer']

const register = 'platform/student'
const path = '/api/students/password-links'
/** Fields of a student that name an entry; not everybody who looks after accounts sees the register of students. */
const units = {
  faculty: { title: 'platform.register.faculty.item', register: 'platform/faculty' },
  department: { title: 'platform.register.department.item', register: 'platform/department' },
  intake: { title: 'platform.register.student.intake', register: 'intakes/intake' },
} as const
const unitFields = ['faculty', 'department', 'intake'] as const
const statuses = ['unregistered', 'active', 'suspended', 'deactivated']
const years = [1, 2, 3, 4, 5, 6]
const links = [
  'without-password',
  'first',
  'again',
  'has-password',
  'not-active',
  'account-closed',
  'address-in-use',
  'no-programme',
] satisfies (Student['link'] | 'without-password')[]
/** Most names of skipped students shown per reason. */
const mostNames = 20

/**
 * /students/sendPasswordLink and the intakes of the IT unit: mails students without a password the link to set one, for
 * some or all that match.
 */
export default function PasswordLinks({ title, params, parameters }: PageProps) {
  const { t } = useTexts()
  const confirm = useConfirm()
  const { chosen: filtered, filter } = useFilters([
    'search',
    'faculty',
    'department',
    'intake',
    'year',
    'status',
    'link',
  ])
  // The entry of the address, if the page shows only the students who name it.
  const field = fieldWithin(parameters)
  const chosen = field === undefined ? filtered : { ...filtered, [field]: params['id'] ?? '' }
  const students = usePages<Student>(withQuery(path, { ...chosen, limit: 50 }))
  const counted = useRead<ListStudentLinks['answer']>(withQuery(path, { ...chosen, limit: 1 }))
  const all = counted.data
  const isReachable = ['', 'without-password', 'first', 'again'].includes(chosen.link)
  const { groups, seesAll } = useMe()
  const mayOpen = seesAll || groups.includes('AllStudents')
  const around = useItem(units.intake.register, field && params['id'])
  const [selected, setSelected] = useState<Key[]>([])
  const [sent, setSent] = useState<Sent>()
  const { run, busy, refusal, clear } = useAct()

  const resetAndFilter: typeof filter = (change) => {
    setSelected([])
    filter(change)
  }
  const send = (meant: object) =>
    run(async () => {
      setSent(undefined)
      setSent(await request<Sent>('POST', path, { body: meant }))
      setSelected([])
      students.reload()
      await counted.mutate()
    })
  const ask = (question: string, meant: object) => {
    clear()
    confirm({
      title: question,
      consequence: t('students.links.question-detail'),
      verb: t('students.links.send'),
      act: () => send(meant),
    })
  }
  const askSelected = () =>
    ask(t('students.links.question', { count: selected.length }), { items: selected.map(String) })
  const askAll = () => {
    const { year, ...texts } = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''))
    ask(t('students.links.question-all', { count: all?.total ?? 0 }), {
      filter: { ...texts, ...(year && { year: Number(year) }) },
    })
  }

  if (around.error) return <Trouble error={around.error} onRetry={() => void around.mutate()} />

  const columns = columnsOf(t, mayOpen, students.titles).filter(({ key }) => key !== field)

  return (
    <ListPage
      title={t(title, { within: around.data?.title ?? '' })}
      list={students}
      count={all?.total}
      lead={
        <>
          <p>{t('students.links.detail')}</p>
          <div aria-live="polite">
            {sent && <Outcome sent={sent} onClose={() => setSent(undefined)} />}
            {refusal && <Alert type="error" role="alert" title={refusal} className={css.outcome ?? ''} />}
          </div>
        </>
      }
      search={{ label: t('platform.register-page.search'), value: chosen.search }}
      onSearch={(search) => resetAndFilter({ search })}
      filters={<Filters chosen={chosen} fixed={field} onChange={resetAndFilter} />}
      actions={[
        <Button key="all" disabled={!all?.total || busy || !isReachable} onClick={askAll}>
          {t('students.links.send-all', { count: all?.total ?? 0 })}
        </Button>,
        <Button key="some" type="primary" disabled={selected.length === 0} loading={busy} onClick={askSelected}>
          {t('students.links.send-some', { count: selected.length })}
        </Button>,
      ]}
      columns={columns}
      columnsOf={path}
      selection={{
        selectedRowKeys: selected,
        onChange: setSelected,
        getCheckboxProps: ({ name, link }) => ({
          disabled: !['first', 'again'].includes(link),
          'aria-label': t('students.links.choose', { name }),
        }),
        getTitleCheckboxProps: () => ({ 'aria-label': t('students.links.choose-shown') }),
      }}
      empty={
        <Empty title={t('platform.register-page.none-found')}>{t('platform.register-page.none-found-detail')}</Empty>
      }
    />
  )
}

/** The filters of the list, but for the one whose value the page gives. */
function Filters({ chosen, fixed, onChange }: FiltersProps) {
  const { t } = useTexts()
  return (
    <>
      {unitFields
        .filter((name) => name !== fixed)
        .map((name) => (
          <FieldFilter
            key={name}
            label={t(units[name].title)}
            schema={{ 'x-register': units[name].register }}
            value={chosen[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      <Choice
        label={t('platform.register.student.year')}
        value={chosen.year}
        options={years.map((year) => ({ value: String(year), label: String(year) }))}
        onChange={(year) => onChange({ year })}
      />
      <Choice
        label={t('platform.register-page.status')}
        value={chosen.status}
        options={statuses.map((status) => ({ value: status, label: statusName(status, t) }))}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        label={t('students.links.account')}
        value={chosen.link}
        options={links.map((link) => ({ value: link, label: t(`students.links.is.${link}`) }))}
        onChange={(link) => onChange({ link })}
      />
    </>
  )
}

interface FiltersProps {
  chosen: Readonly<Record<(typeof unitFields)[number] | 'year' | 'status' | 'link', string>>
  fixed: string | undefined
  onChange(change: Record<string, string>): void
}

function columnsOf(t: Translate, mayOpen: boolean, titles: Record<string, string>): Column<Student>[] {
  const nameOf = (id: string | null) => (id === null ? '' : (titles[id] ?? ''))
  return [
    {
      title: t('platform.register.person.full_name'),
      key: 'name',
      render: (_, { id, name, regNo }) => (
        <div className={cells.cell}>
          {mayOpen ? <Link href={`/registers/${register}/${id}`}>{name}</Link> : name}
          <small>{regNo}</small>
        </div>
      ),
    },
    {
      title: t('platform.register.faculty.item'),
      key: 'faculty',
      render: (_, { faculty }) => <FacultyName id={faculty}>{nameOf(faculty)}</FacultyName>,
    },
    {
      title: t('platform.register.department.item'),
      key: 'department',
      render: (_, { department }) => nameOf(department),
    },
    {
      title: t('platform.register.student.intake'),
      key: 'intake',
      render: (_, { intake }) => nameOf(intake),
    },
    {
      title: t('platform.register.student.year'),
      key: 'year',
      align: 'right',
      render: (_, { year }) => year ?? '',
    },
    {
      title: t('platform.register-page.status'),
      key: 'status',
      render: (_, { status }) => <Mark is={status === 'active' ? 'on' : 'off'}>{statusName(status, t)}</Mark>,
    },
    { title: t('students.links.account'), key: 'link', render: (_, { link }) => t(`students.links.is.${link}`) },
  ]
}

/** The result: how many links were sent, and who was skipped and why. */
function Outcome({ sent: { sent, resent, skipped }, onClose }: { sent: Sent; onClose(): void }) {
  const { t } = useTexts()
  const told = [
    ...(sent > 0 ? [t('students.links.sent', { count: sent })] : []),
    ...(resent > 0 ? [t('students.links.resent', { count: resent })] : []),
  ]
  const reasons = [...Map.groupBy(skipped, ({ reason }) => reason)]
  return (
    <Alert
      type={told.length > 0 ? 'success' : 'warning'}
      showIcon
      closable={{ onClose }}
      className={css.outcome ?? ''}
      title={told[0] ?? t('students.links.nobody')}
      description={
        <>
          {told[1] && <p>{told[1]}</p>}
          {skipped.length > 0 && <p>{t('students.links.skipped', { count: skipped.length })}</p>}
          <ul>
            {reasons.map(([reason, of]) => (
              <li key={reason}>
                {t(`students.links.is.${reason}`)}:{' '}
                {of
                  .slice(0, mostNames)
                  .map(({ id, name }) => name ?? id)
                  .join(', ')}
                {of.length > mostNames && ` ${t('students.links.more', { count: of.length - mostNames })}`}
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}
