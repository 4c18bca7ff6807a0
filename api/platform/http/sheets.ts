import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Sheet } from '../kernel/sheets/sheet.ts'
import type { StreamedSheet } from '../kernel/sheets/stream.ts'
import { fileOf } from './schemas.ts'

const types = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** The format of an exported list. */
export const SheetFormat = Type.Enum(['csv', 'xlsx'])
export const sheetTypes = Object.values(types)
/** A list as a file response. */
export const SheetAnswer = fileOf(...sheetTypes)

/** Sends a paper as a download. */
export function sendPaper(reply: FastifyReply, { name, content }: { name: string; content: Buffer }): FastifyReply {
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from([content]))
}

/** Sends a list as a download. */
export function sendSheet(reply: FastifyReply, { format, name, content }: Sheet | StreamedSheet): FastifyReply {
  return reply
    .type(format === 'csv' ? `${types.csv}; charset=utf-8` : types.xlsx)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content)
}
