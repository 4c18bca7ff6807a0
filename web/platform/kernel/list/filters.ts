import { useLocation, useSearch } from 'wouter'
import { withQuery } from '../client/client.ts'
import { recordOf } from '../keys.ts'

/** The filters of a list. They are in the address bar, so that links and the back button restore them; '' means any. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const chosen = recordOf(names, (name) => query.get(name) ?? '')
  return {
    chosen,
    filter: (change: { [name in Name]?: string }) =>
      navigate(withQuery(path, { ...chosen, ...change }), { replace: true }),
  }
}
