import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startStack } from '../../api/platform/edge/supervisor/stack.ts'
import { aBooking, aRoom, BOOKING } from '../resource-reservation/booking.ts'
import { asOwner } from './kit/owner.ts'
import { as } from './kit/people.ts'

const root = join(import.meta.dirname, '../..')
const PASSPHRASE = 'a passphrase of this test'

let folder: string, file: string, restored: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prakriya-backup-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs as another user and passes through here
  file = join(folder, 'backup.tar.zst.age')
  restored = join(folder, 'restored')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command as its npm script does. */
async function run(
  name: 'backup' | 'restore',
  parameters: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [`api/platform/edge/commands/${name}.ts`, ...parameters], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', BACKUP_KEY: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((settle) => child.once('close', settle))
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, said: out + errors }
}

const restore = (from: string, key: string, into = restored) =>
  run('restore', [from], { PRAKRIYA_DATA: into, BACKUP_KEY: key })

test('a backup of a running product, while people book and upload, is whole where it is restored', async () => {
  const student = await as('student.nuwan')
  const room = await aRoom()
  const before = await student.submit(BOOKING, aBooking(room))
  let over = false
  const booking = (async () => {
    let count = 0
    for (; !over; count += 1) await student.submit(BOOKING, aBooking(await aRoom()))
    return count
  })()
  const made = await run('backup', [file, '--unchecked'], {
    PRAKRIYA_DATA: process.env['PRAKRIYA_TEST_DATA']!,
    BACKUP_KEY: PASSPHRASE,
  })
  over = true
  expect(made).toEqual({ code: 0, said: expect.stringMatching(/Written in .* encrypted\)/) })
  expect(await booking).toBeGreaterThan(0)
  expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1')

  const answer = await restore(file, PASSPHRASE)
  expect(answer).toEqual({ code: 0, said: expect.stringMatching(/^It is whole: up to \d+ cases/m) })
  const database = await startStack({
    ...{ dataDir: restored, port: 0, demo: false, parts: ['postgres'], say: () => undefined },
    ...{ ownerDatabaseUrl: undefined, engine: undefined },
  })
  try {
    const [row] = await asOwner('select status from app.flow_case where id = $1', [before.id], restored)
    expect(row).toBeDefined()
    // For the last test: what no program of ours can do.
    await asOwner(
      `set session_replication_role = replica; update app.ledger_account set balance = balance + 1 where id = 'bank'`,
      undefined,
      restored,
    )
  } finally {
    await database.stop()
  }
}, 180_000)

test('what is not whole, or cannot be opened, is refused and leaves nothing behind', async () => {
  const part = join(folder, 'part.age')
  writeFileSync(part, readFileSync(file).subarray(0, 1_000_000))
  const no = join(folder, 'no.tar.zst')
  writeFileSync(no, 'not a backup')
  const elsewhere = join(folder, 'elsewhere')
  for (const [from, key, why] of [
    [file, '', /is encrypted: set BACKUP_KEY/],
    [file, 'a passphrase of somebody else', /cannot be opened with this BACKUP_KEY/],
    [part, PASSPHRASE, /cannot be opened with this BACKUP_KEY, or is damaged/],
    [no, '', /is damaged, or is no backup/],
    [join(folder, 'nothing'), '', /There is no file/],
  ] as const) {
    expect(await restore(from, key, elsewhere)).toEqual({ code: 1, said: expect.stringMatching(why) })
    expect(existsSync(elsewhere)).toBe(false)
  }
  const full = await restore(file, PASSPHRASE)
  expect(full).toEqual({ code: 1, said: expect.stringMatching(/is not empty\. Move it away/) })
}, 60_000)

test('a backup of a stopped product that is not right says so, and of files that are missing', async () => {
  const [lost] = await asOwner<{ key: string }>('select storage_key as key from app.file order by created_at limit 1')
  rmSync(join(restored, 'files', lost!.key), { force: true })
  const incomplete = join(folder, 'incomplete.tar.zst')
  const made = await run('backup', [incomplete], { PRAKRIYA_DATA: restored })
  expect(made).toEqual({
    code: 1,
    said: expect.stringMatching(/The backup is not whole:\n1 accounts whose balance is not the sum of their lines\n$/),
  })
  expect(made.said).toMatch(/WARNING: \d+ files that the database names are missing/)
  expect(made.said).toContain('It is not encrypted')
  expect(readdirSync(folder).filter((name) => /trial|unfinished/.test(name))).toEqual([])
}, 60_000)
