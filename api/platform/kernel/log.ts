import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * Error properties that must not be logged: PostgreSQL's error detail, which quotes whole rows (a mail with its link, a
 * hash), statement values, and the bytes of a malformed request.
 */
const UNLOGGED_PROPERTIES = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'rawPacket']

/** The log of a part, as lines of JSON on stdout or to `to`. */
export function logOf(
  name: string,
  { logLevel, nodeName }: { logLevel: string; nodeName: string },
  to?: DestinationStream,
): Logger {
  const options = {
    name,
    level: logLevel,
    base: { node: nodeName },
    redact: { paths: UNLOGGED_PROPERTIES.map((field) => `err.${field}`), remove: true },
  }
  return to ? pino(options, to) : pino(options)
}
