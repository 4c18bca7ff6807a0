import { useEffect, useState } from 'react'
import type { Element } from './element.ts'
import { readBpmn } from './read.ts'

/** The elements of a document; undefined while it loads, with an error if it is invalid. */
export function useBpmn(xml: string | undefined): { definitions: Element | undefined; error: unknown } {
  const [read, setRead] = useState<{ xml: string; definitions?: Element; error?: unknown }>()
  useEffect(() => {
    if (xml === undefined) return
    let dropped = false
    readBpmn(xml).then(
      ({ definitions }) => !dropped && setRead({ xml, definitions }),
      (error: unknown) => !dropped && setRead({ xml, error }),
    )
    return () => {
      dropped = true
    }
  }, [xml])
  return read && read.xml === xml
    ? { definitions: read.definitions, error: read.error }
    : { definitions: undefined, error: undefined }
}
