import type { ReactNode } from 'react'
import { useRead } from '../api/read.ts'
import type { Page } from '../client/types.ts'
import css from './faculty.module.css'

const FACULTIES = 'platform/faculty'

/** A faculty as people know it: its name behind a dot in its colour. */
export function FacultyName({ id, children }: { id: string; children: ReactNode }) {
  const { data } = useRead<Page<{ id: string; data: { theme?: string } }>>(
    `/api/registers/${FACULTIES}/items?limit=100`,
  )
  return <FacultyDot theme={data?.items.find((each) => each.id === id)?.data.theme}>{children}</FacultyDot>
}

/** The same where the colour is at hand already. */
export function FacultyDot({ theme, children }: { theme: unknown; children: ReactNode }) {
  return (
    <span className={css.dot} data-faculty={typeof theme === 'string' ? theme : undefined}>
      {children}
    </span>
  )
}

/** Whether a field, or a register, is about faculties. */
export const isFaculty = (register: string | undefined): boolean => register === FACULTIES
