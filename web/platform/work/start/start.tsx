import { Alert, Button } from 'antd'
import { useRef, useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { type Origin, submitCase, useCaseOffer } from '../../kernel/api/cases.ts'
import { Problem } from '../../kernel/client/client.ts'
import { useFlow, useFlows, useOpening } from '../../kernel/api/flows.ts'
import { beginStartForm, useStartDraft } from '../../kernel/api/start-drafts.ts'
import type { Flow, FlowOpening, FlowRow } from '../../kernel/client/types.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useSending } from '../../kernel/form/send.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { ConfirmFirst } from '../../people/session/confirm-first.tsx'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { YourTurn } from '../case/your-turn.tsx'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { ClosingNotice, useBegun } from './closing.tsx'
import { useAround } from './around.ts'
import { OnBehalf } from './on-behalf.tsx'
import { givenIn } from './given.ts'
import { NotForYou } from './not-for-you.tsx'
import { type Initial, placeOf, useDraft } from './unsent.ts'
import css from './start.module.css'

/** The start form of a flow: purpose, questions, and what happens after sending. */
export default function Start({ params, parameters, title }: PageProps) {
  const { t } = useTexts()
  const search = useSearch()
  const fixed = typeof parameters['flow'] === 'string' ? parameters['flow'] : undefined
  const { data, error, mutate } = useFlow(fixed ?? `${params['area']}/${params['flow']}`)
  // A flow with its own screen uses that screen's title, as the menu does.
  const name = fixed ? title : data?.title
  const flows = useFlows()
  usePageTitle(name && t(name))
  // A flow with a page of its own is started there.
  if (data?.manifest.startPage && !fixed) return <Redirect to={data.manifest.startPage} replace />
  const problem = error ?? flows.error
  // People who may start the flow in general but not now get the reason from the flow's opening.
  const row = flows.data?.items.find(({ flow }) => flow === data?.flow)
  const mayStart = data?.manifest.requester || row
  if (data && flows.data && !mayStart) return <NotAllowed />
  return (
    <article className={css['start']}>
      {data && mayStart ? (
        <About
          key={data.form.hash}
          flow={data}
          title={t(name ?? data.title)}
          given={givenIn({ params, parameters }, search)}
          others={row?.forOthers}
        />
      ) : problem ? (
        <Trouble error={problem} onRetry={() => void Promise.all([mutate(), flows.mutate()])} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

/** No answer, or a fault: the server may have received it all the same. */
const isDoubtful = (error: unknown) => error instanceof Problem && (error.status === 0 || error.status >= 500)

interface AboutProps {
  flow: Flow
  title: string
  given: FormValue
  others: Others
}

/** The flow's purpose; then waiting tasks, the form, or why there is none. */
function About({ flow, title, given, others }: AboutProps) {
  const { t } = useTexts()
  // Only flows for people in a register can be open to some and not to others.
  const { data: opening, error, mutate } = useOpening(flow.manifest.requester && flow.flow)
  return (
    <>
      <h1>{title}</h1>
      {flow.description && <p className={css['about']}>{t(flow.description)}</p>}
      {!flow.manifest.requester ? (
        <Form flow={flow} others={others} given={{}} chosen={given} />
      ) : opening ? (
        <Opened flow={flow} opening={opening} given={given} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  )
}

interface OpenedProps {
  flow: Flow
  opening: FlowOpening
  given: FormValue
}

function Opened({ flow, opening: { message, items, unfit, waiting, already }, given }: OpenedProps) {
  const { t } = useTexts()
  const me = useMe()
  const { once, sole, account } = flow.manifest
  const field = once?.per?.slice(1)
  const only = items?.length === 1 ? items[0] : undefined
  const search = useSearch()
  const named = field ? new URLSearchParams(search).get(field) : null
  const chosen = items?.find(({ id }) => id === named)
  return (
    <>
      {waiting.map((one) => (
        <YourTurn
          key={one.task}
          task={one.task}
          title={one.title}
          label={`${one.title} (${one.reference})`}
          what={`${one.reference} · ${one.name}`}
          dueAt={one.dueAt}
          action={t('platform.start.go-on')}
        />
      ))}
      {unfit.length > 0 && <NotForYou items={unfit} />}
      {message !== null ? (
        // A waiting task already shows that there is a case.
        waiting.length === 0 && (
          <Alert
            className={css['refused']}
            type="info"
            role="alert"
            title={message}
            description={<Already cases={already} />}
          />
        )
      ) : items?.length !== 0 ? (
        <>
          {sole && !account && !me.emailConfirmed && <ConfirmFirst email={me.email} />}
          <Form
            key={chosen?.id}
            flow={flow}
            given={field && only ? { [field]: only.id } : {}}
            chosen={{ ...given, ...(field && chosen ? { [field]: chosen.id } : {}) }}
          />
        </>
      ) : (
        waiting.length === 0 && (
          <Empty
            title={t('platform.start.nothing')}
            actions={
              <Link href="/cases" asChild>
                <Button>{t('platform.screen.my-cases')}</Button>
              </Link>
            }
          >
            {t('platform.start.nothing-detail')}
            <Already cases={already} />
          </Empty>
        )
      )}
    </>
  )
}

/** A link to each existing case. */
function Already({ cases }: { cases: FlowOpening['already'] }) {
  return cases.map(({ id, reference, title }) => (
    <Link key={id} className={css['already']} href={`/cases/${id}`}>
      {title} ({reference})
    </Link>
  ))
}

/** The people that the reader may start the flow for. */
type Others = FlowRow['forOthers']

/** The case of the address that the new one follows from, and its name there. */
function originIn(search: string): Origin | undefined {
  const query = new URLSearchParams(search)
  const [from, name] = [query.get('from'), query.get('as')]
  return from !== null && name !== null ? { case: from, name } : undefined
}

/** The form, with what the case of the address fills in. */
function Form(props: { flow: Flow; others?: Others } & Initial) {
  const follows = originIn(useSearch())
  const { data, error, mutate } = useCaseOffer(follows)
  if (!follows) return <Asked {...props} />
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={8} />
  return <Asked {...props} follows={follows} chosen={{ ...props.chosen, ...data.data }} />
}

/** The form, once the draft is loaded, and what the chosen entries decide. */
function Asked({ flow, given, chosen, others, follows }: Omit<FilledProps, 'kept'>) {
  const { schema } = flow.form
  const [aroundGiven, aroundChosen] = [useAround(schema, given), useAround(schema, chosen)]
  const initial = { given: { ...aroundGiven.data, ...given }, chosen: { ...aroundChosen.data, ...chosen } }
  const place = placeOf(useMe().id, flow.form.hash)
  const [here] = useState(() => sessionStorage.getItem(place) !== null)
  const { data, error } = useStartDraft(flow.flow, !here)
  const waits = aroundGiven.isLoading || aroundChosen.isLoading || (!here && !data && !error)
  if (waits) return <Skeleton lines={8} />
  return <Filled flow={flow} kept={data?.draft?.data} others={others} follows={follows} {...initial} />
}

interface FilledProps extends Initial {
  flow: Flow
  others?: Others | undefined
  follows?: Origin | undefined
  kept: FormValue | undefined
}

function Filled({ flow, kept, others, follows, ...initial }: FilledProps) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const draft = useDraft(flow, kept, initial)
  const form = useRef<FormHandle>(null)
  const { busy, problem, words, send } = useSending(form)
  const attempt = useAction()
  const [entry, setEntry] = useState<string>()
  const [nobody, setNobody] = useState(false)
  const wrong = problem instanceof Problem ? problem.errors.find(({ field }) => field === '/for/entry') : undefined
  const next = `${flow.title}-next`
  const { open } = flow.manifest
  const about = open?.finish && draft.value[open.from.split('#')[0]?.slice(1) ?? '']
  const begun = useBegun(flow.flow, typeof about === 'string' && about !== '' ? about : undefined, beginStartForm)

  const begin = () =>
    send(
      async (data) => {
        await draft.hold()
        const { id } = await submitCase(flow.flow, data, draft.key, {
          follows,
          other: entry === undefined ? undefined : { entry },
        })
        draft.forget()
        navigate(`/cases/${id}?sent`)
      },
      (error) => draft.goOn(!isDoubtful(error)),
    )

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setNobody(others?.only === true && entry === undefined)
        if (others?.only !== true || entry !== undefined) void begin()
      }}
    >
      <ClosingNotice begun={begun} />
      {others && (
        <OnBehalf
          {...others}
          value={entry}
          problem={nobody ? t('platform.field-required') : wrong?.message}
          onChange={(chosen) => {
            setNobody(false)
            setEntry(chosen)
          }}
        />
      )}
      <SchemaForm ref={form} form={flow.form} value={draft.value} onChange={draft.change} />
      {(draft.saveState === 'kept' || draft.saveState === 'here') && (
        <p className={css['kept']}>
          {t(draft.saveState === 'kept' ? 'platform.start.kept' : 'platform.draft.here')}{' '}
          <Button size="small" type="text" onClick={() => void attempt(draft.discard)}>
            {t('platform.draft.discard')}
          </Button>
        </p>
      )}
      {words && (
        <Alert
          className={css['problem']}
          type="error"
          role="alert"
          title={words.title}
          description={isDoubtful(problem) ? t('platform.start.doubtful') : words.detail}
        />
      )}
      <Button type="primary" htmlType="submit" size="large" loading={busy}>
        {t('platform.start.send')}
      </Button>
      <p className={css['next']}>{t(hasText(next) ? next : 'platform.start.next')}</p>
    </form>
  )
}
