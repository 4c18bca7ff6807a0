import { withQuery } from '../../platform/kernel/client/client.ts'
import { useAllPublicItems } from '../../platform/kernel/api/public-items.ts'
import { usePages, useRead } from '../../platform/kernel/api/read.ts'

/** The flow by which people apply. */
export const APPLICATION = 'recruitment/job-application'

/** The public fields of a vacancy; what it refers to is named by `titles`. */
export interface VacancyData {
  number: string
  notice_subject: string
  designation: string
  faculty?: string
  department?: string
  subject?: string
  positions: number
  grade?: string
  salary_step?: string
  /** Months. */
  notice_period?: '3' | '4' | '6' | '12'
  mandatory: string
  qualifications?: string
  advertised_in: 'gazette' | 'newspaper'
  advertisement_reference: string
  documents?: { title: string; file: string }[]
  opens: string
  closing_day: string
  /** Cents. */
  fee?: number
  bank_account?: string
}

export interface Vacancy {
  id: string
  title: string
  data: VacancyData
}

/** Filters of the list; the names are those of the address. */
export const filters = ['search', 'designation', 'faculty', 'department'] as const
export type VacancyFilter = Record<(typeof filters)[number], string>

const register = '/api/public/registers/recruitment/vacancy/items'

/** The active vacancies that fit. */
export const useVacancies = ({ search, designation, faculty, department }: VacancyFilter) =>
  usePages<Vacancy>(
    withQuery(register, {
      search,
      'filter.designation': designation,
      'filter.faculty': faculty,
      'filter.department': department,
      limit: 24,
    }),
  )

export const useVacancy = (id: string) =>
  useRead<Vacancy & { titles: Record<string, string> }>(`${register}/${encodeURIComponent(id)}`)

const useChoices = (of: string) => useAllPublicItems(of).data?.items ?? []

/** What the list can be filtered by. */
export function useVacancyChoices() {
  return {
    designation: useChoices('platform/designation'),
    faculty: useChoices('platform/faculty'),
    department: useChoices('platform/department'),
  }
}

/** Ids in an address, such as `?selected=a,b`. */
export const idsIn = (params: URLSearchParams, name: string): string[] =>
  params.get(name)?.split(',').filter(Boolean) ?? []

/** Where applicants find what they have selected. */
export const applyingPage = (selected: readonly string[]) =>
  `/applicant/view_vacancies?selected=${selected.map(encodeURIComponent).join(',')}`
