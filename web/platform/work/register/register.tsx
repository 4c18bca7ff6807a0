import { lazy } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import css from '../../kernel/page/page.module.css'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { namesIn, onlyIn, type PageProps } from '../../kernel/screens/page.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { fieldWithin, isMine, registerOf, useItem, useRegister, withoutReader, type Register } from './registers.ts'

const RegisterTable = lazy(() => import('./register-table.tsx'))

/** The entries of a register, perhaps only those that name the entry of the address in a field. */
export default function RegisterPage(props: PageProps) {
  const key = registerOf(props)
  const { data: register, error, mutate } = useRegister(key)
  const { flow, status } = props.parameters
  const itemPage = useItemPage(props.parameters['itemPage'])
  const mine = isMine(props.parameters)
  const place = usePlace(props, register)
  // A register with its own screen uses that screen's title, as the menu does.
  const title = props.parameters['register'] === undefined ? register?.title : props.title
  const problem = error ?? place.error
  if (register && !place.error && !place.isLoading)
    return (
      <RegisterTable
        key={`${key} ${place.within?.id ?? ''}`}
        register={{ ...(mine ? withoutReader(register) : register), title: title ?? register.title }}
        mine={mine}
        entrusted={props.parameters['entrusted'] === true || register.entrustedOnly === true}
        only={onlyIn(props.parameters)}
        {...(place.within && { within: place.within })}
        {...(itemPage !== undefined && { itemPage })}
        {...(typeof flow === 'string' && { flow })}
        {...(typeof status === 'string' && { usual: status })}
      />
    )
  // A register that somebody may not read is a 404 for them; that this page has one is no secret.
  if (props.parameters['register'] && error instanceof Problem && error.status === 404) return <NotAllowed />
  return (
    <div className={css.page}>
      {problem ? (
        <Trouble
          error={problem}
          onRetry={() => {
            void mutate()
            place.reload()
          }}
        />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

/** Where a row leads: of several routes to the first that the reader may open. */
function useItemPage(declared: unknown): string | undefined {
  const me = useMe()
  if (typeof declared === 'string') return declared
  return namesIn(declared)?.find((route) => {
    const screen = matchScreen(route)?.screen
    return screen !== undefined && mayOpen(me, screen)
  })
}

/** The entry of the address, if the page shows only entries within it. */
function usePlace({ params, parameters }: PageProps, register: Register | undefined) {
  const field = fieldWithin(parameters)
  const around = field === undefined ? undefined : register?.item.properties?.[field]?.['x-register']
  const { data, error, isLoading, mutate } = useItem(around ?? '', around && params['id'])
  return {
    ...{ error, isLoading },
    within: field !== undefined && data ? { field, id: data.id, title: data.title } : undefined,
    reload: () => void mutate(),
  }
}
