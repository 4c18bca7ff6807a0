import { lazy } from 'react'
import type { PageProps } from '../router/page.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import css from './register.module.css'
import { registerOf, useRegister } from './registers.ts'

const RegisterTable = lazy(() => import('./register-table.tsx'))

/** The items of a register. */
export default function RegisterPage(props: PageProps) {
  const register = registerOf(props)
  const { data, error, mutate } = useRegister(register)
  return (
    <div className={css.page}>
      {data ? (
        <RegisterTable key={register} register={data} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}
