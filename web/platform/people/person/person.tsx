import useSWR from 'swr'
import { send } from '../../kernel/client/client.ts'
import css from './person.module.css'

const initials = (name: string) =>
  name
    .replace(/^(Prof|Dr|Mr|Mrs|Ms|Rev)\.? /, '')
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .filter((_, at, all) => at === 0 || at === all.length - 1)
    .join('')

/** Only signed-in people see photos, so they are fetched with the access token; an address alone opens nothing. */
const read = async (path: string) =>
  URL.createObjectURL(await (await send('GET', path, { headers: { accept: '*/*' } })).blob())

interface AvatarProps {
  name: string
  /** Id of the file. */
  photo?: string | null | undefined
  /** The theme of the person's faculty: the colour of the ring. */
  theme?: string | null | undefined
  large?: boolean
}

/** A person's photo, or the initials if there is none (yet). */
export function Avatar({ name, photo, theme, large = false }: AvatarProps) {
  const { data } = useSWR<string, unknown>(photo ? `/api/files/${encodeURIComponent(photo)}?size=small` : null, read, {
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
  })
  return (
    <span
      className={css['avatar']}
      data-faculty={theme ?? undefined}
      data-large={large || undefined}
      data-initials={photo && data ? undefined : initials(name)}
      aria-hidden
    >
      {photo && data && <img src={data} alt="" />}
    </span>
  )
}

interface PersonProps extends AvatarProps {
  post?: string | null
  /** Shows the avatar only. */
  bare?: boolean
}

export function Person({ name, post, bare = false, ...avatar }: PersonProps) {
  return (
    <span className={css['person']}>
      <Avatar name={name} {...avatar} />
      {!bare && (
        <span className={css['personWords']}>
          <strong>{name}</strong> {post && <small>{post}</small>}
        </span>
      )}
    </span>
  )
}
