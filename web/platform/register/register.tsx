import { lazy } from 'react'
import css from '../page/page.module.css'
import type { PageProps } from '../router/page.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { registerOf, useRegister } from './registers.ts'

const RegisterTable = lazy(() => import('./register-table.tsx'))

/** The items of a register. */
export default function RegisterPage(props: PageProps) {
  const register = registerOf(props)
  const { data, error, mutate } = useRegister(register)
  // A screen of its own has a name of its own, which the menu says too.
  const title = props.parameters['register'] === undefined ? data?.title : props.title
  if (data) return <RegisterTable key={register} register={{ ...data, title: title ?? data.title }} />
  return (
    <div className={css.page}>
      {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={8} />}
    </div>
  )
}
