import type { ReactNode } from 'react'
import { useRead } from '../api/read.ts'
import type { Page } from '../client/types.ts'
import css from './faculty.module.css'

const FACULTIES = 'platform/faculty'

/** A faculty's name with a dot in its colour. */
export function FacultyName({ id, children }: { id: string; children: ReactNode }) {
  const { data } = useRead<Page<{ id: string; data: { theme?: string } }>>(
    `/api/registers/${FACULTIES}/items?limit=100`,
  )
  return <FacultyDot theme={data?.items.find((each) => each.id === id)?.data.theme}>{children}</FacultyDot>
}

/** The same with a known colour. */
export function FacultyDot({ theme, children }: { theme: unknown; children: ReactNode }) {
  return (
    <span className={css.dot} data-faculty={typeof theme === 'string' ? theme : undefined}>
      {children}
    </span>
  )
}

/** Whether a register is that of faculties. */
export const isFaculty = (register: string | undefined): boolean => register === FACULTIES
