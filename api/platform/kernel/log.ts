import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * What errors carry and no log may show: PostgreSQL's account of a row, which quotes it whole (a mail with its link, a
 * hash), the values of a statement, and the bytes of a request that was no HTTP.
 */
const UNSAID = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'rawPacket']

/** The log of a part: lines of JSON on its output, or where `to` says. */
export function logOf(
  name: string,
  { logLevel, nodeName }: { logLevel: string; nodeName: string },
  to?: DestinationStream,
): Logger {
  const options = {
    name,
    level: logLevel,
    base: { node: nodeName },
    redact: { paths: UNSAID.map((field) => `err.${field}`), remove: true },
  }
  return to ? pino(options, to) : pino(options)
}
