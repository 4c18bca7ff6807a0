import css from './shell.module.css'

const initials = (name: string) =>
  name
    .replace(/^(Prof|Dr|Mr|Mrs|Ms|Rev)\.? /, '')
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .filter((_, at, all) => at === 0 || at === all.length - 1)
    .join('')

/** A person by name and post. */
export function Person({ name, post, bare = false }: { name: string; post?: string | null; bare?: boolean }) {
  return (
    <span className={css['person']}>
      <span className={css['initials']} aria-hidden>
        {initials(name)}
      </span>
      {!bare && (
        <span className={css['personWords']}>
          <strong>{name}</strong>
          {post && <small>{post}</small>}
        </span>
      )}
    </span>
  )
}
