import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Sheet } from '../kernel/sheets/sheet.ts'
import type { StreamedSheet } from '../kernel/sheets/stream.ts'
import { fileOf } from './schemas.ts'

const types = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** In which format a list is wanted as a file. */
export const SheetFormat = Type.Enum(['csv', 'xlsx'])
export const sheetTypes = Object.values(types)
/** The answer that is a list as a file. */
export const SheetAnswer = fileOf(...sheetTypes)

/** Answers with a list as a file to keep. */
export function sendSheet(reply: FastifyReply, { format, name, content }: Sheet | StreamedSheet): FastifyReply {
  return reply
    .type(format === 'csv' ? `${types.csv}; charset=utf-8` : types.xlsx)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content)
}
