import { lazy } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import css from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { registerOf, useRegister } from './registers.ts'

const RegisterTable = lazy(() => import('./register-table.tsx'))

/** The entries of a register. */
export default function RegisterPage(props: PageProps) {
  const register = registerOf(props)
  const { data, error, mutate } = useRegister(register)
  const { itemPage, flow } = props.parameters
  // A register with its own screen uses that screen's title, as the menu does.
  const title = props.parameters['register'] === undefined ? data?.title : props.title
  if (data)
    return (
      <RegisterTable
        key={register}
        register={{ ...data, title: title ?? data.title }}
        {...(typeof itemPage === 'string' && { itemPage })}
        {...(typeof flow === 'string' && { flow })}
      />
    )
  // A register that somebody may not read is a 404 for them; that this page has one is no secret.
  if (props.parameters['register'] && error instanceof Problem && error.status === 404) return <NotAllowed />
  return (
    <div className={css.page}>
      {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={8} />}
    </div>
  )
}
