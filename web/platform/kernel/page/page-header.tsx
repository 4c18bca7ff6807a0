import type { ReactNode } from 'react'
import { Link } from 'wouter'
import css from './page.module.css'

interface PageHeaderProps {
  /** The list or page to which this one belongs. */
  back?: BackLinkProps
  title: ReactNode
  /** What identifies the item, beside its title. */
  code?: string | undefined
  /** The number of entries, once it is known. */
  count?: ReactNode
  /** What the page is for. */
  lead?: ReactNode
  /** Facts about the item in one line, each an element. */
  about?: ReactNode
  /** The page's buttons. */
  actions?: ReactNode
}

/** The head of a page for staff: title, text and buttons. */
export function PageHeader({ back, title, code, count, lead, about, actions }: PageHeaderProps) {
  return (
    <>
      {back && <BackLink {...back} />}
      <h1>
        {title}
        {code !== undefined && (
          <>
            {' '}
            <span className={css.code}>{code}</span>
          </>
        )}
        {count !== undefined && <span className={css.count}>{count}</span>}
      </h1>
      {lead && <p className={css.lead}>{lead}</p>}
      {about && <p className={css.about}>{about}</p>}
      {actions && <div className={css.acts}>{actions}</div>}
    </>
  )
}

interface BackLinkProps {
  href: string
  title: string
}

/** The link to the list or page to which a page belongs. */
export function BackLink({ href, title }: BackLinkProps) {
  return (
    <p className={css.back}>
      <Link href={href}>{title}</Link>
    </p>
  )
}
