import { useEffect } from 'react'
import type { VacancyData } from './vacancies.ts'

interface Posting {
  vacancy: VacancyData
  titles: Record<string, string>
  university: string
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** A vacancy as search engines read it: https://schema.org/JobPosting. */
export function jobPosting({ vacancy, titles, university }: Posting): Record<string, unknown> {
  const { qualifications, subject, grade, department = '', faculty = '' } = vacancy
  const paragraphs = [vacancy.notice_subject, subject, grade, vacancy.mandatory, qualifications]
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: titles[vacancy.designation] ?? vacancy.notice_subject,
    description: paragraphs.flatMap((text) => (text ? [`<p>${escaped(text)}</p>`] : [])).join(''),
    identifier: { '@type': 'PropertyValue', name: university, value: vacancy.number },
    datePosted: vacancy.opens,
    validThrough: `${vacancy.closing_day}T23:59:59+05:30`,
    employmentType: 'FULL_TIME',
    totalJobOpenings: vacancy.positions,
    qualifications: [vacancy.mandatory, qualifications].filter(Boolean).join('\n'),
    directApply: true,
    hiringOrganization: {
      '@type': 'CollegeOrUniversity',
      name: university,
      sameAs: window.location.origin,
      ...((titles[department] ?? titles[faculty]) ? { department: titles[department] ?? titles[faculty] } : {}),
    },
    jobLocation: {
      '@type': 'Place',
      address: { '@type': 'PostalAddress', addressLocality: 'Colombo', addressCountry: 'LK' },
    },
  }
}

/** Puts structured data into the page while it is shown. */
export function useStructuredData(data: Record<string, unknown> | undefined): void {
  const written = data && JSON.stringify(data)
  useEffect(() => {
    if (written === undefined) return undefined
    const script = document.createElement('script')
    script.type = 'application/ld+json'
    script.textContent = written
    document.head.append(script)
    return () => script.remove()
  }, [written])
}
