import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import sharp from 'sharp'
import { aBooking, BOOKING, halls } from '../resource-reservation/booking.ts'
import { contrastOf, expectAccessible } from './kit/axe.ts'
import { type Language, NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { as, PASSWORD } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { stack } from './kit/stack.ts'

const USERNAME = 'student.amaya'
const NAME = 'Amaya Ranasinghe'
const OTHER = 'Kolam.Nadagam.77'

let visitors: Visitors
/** At her desk, and on another device. */
let amaya: Visitor, elsewhere: Visitor
let own: { id: string; reference: string }, others: { id: string; reference: string }

beforeAll(async () => {
  const [student, selvi, hall] = [await as(USERNAME), await as('student.selvi'), (await halls({ cost: false }))[1]!]
  own = await student.submit(BOOKING, aBooking(hall, { event: 'Shadow play' }))
  others = await selvi.submit(BOOKING, aBooking((await halls({ cost: false }))[2]!, { event: 'Another play' }))
  // Sessions that earlier runs on the same product have left.
  await student.ok('POST', '/api/me/sessions/end-others')
  visitors = await openBrowser()
  ;[amaya, elsewhere] = await Promise.all([visitors.arrives(), visitors.arrives()])
  await amaya.signsIn(USERNAME, '/myprofile')
  await amaya.page.getByRole('heading', { name: NAME, level: 1 }).waitFor()
})

afterAll(async () => {
  await visitors?.close()
  await likeBefore()
})

/** Restores her demo password for the next run on the same product: no form accepts that one. */
async function likeBefore(): Promise<void> {
  const database = new pg.Client({ connectionString: stack().ownerDatabaseUrl })
  await database.connect()
  await database.query(
    `update app.account set password_hash = (select password_hash from app.account where username = 'student.selvi')
     where username = $1`,
    [USERNAME],
  )
  for (const table of ['totp', 'passkey', 'recovery_code'])
    await database.query(
      `delete from app.${table} where account_id = (select id from app.account where username = $1)`,
      [USERNAME],
    )
  await database.end()
}

let broken: string | undefined

/** One part of the story; after a failed part the later ones are skipped. */
function chapter(title: string, tell: () => Promise<void>): void {
  test(title, async () => {
    if (broken) throw new Error(`not told, because an earlier part broke off: ${broken}`)
    broken = title
    try {
      await tell()
      expect([...amaya.troubles(), ...elsewhere.troubles()]).toEqual([])
    } catch (error) {
      await amaya.picture('broken-profile')
      await elsewhere.picture('broken-profile-elsewhere')
      throw error
    }
    broken = undefined
  })
}

/** Waits until `look` returns this value. */
const comesTo = <T>(look: () => Promise<T>, wanted: T) =>
  until(`${String(wanted)}`, async () => {
    const seen = await look()
    if (seen !== wanted) throw new Error(`it is ${String(seen)}`)
    return true
  })

const section = ({ page }: Visitor, name: string) => page.getByRole('region', { name, exact: true })
const dialog = ({ page }: Visitor) => page.getByRole('dialog')

chapter('the old address of the account leads to the profile, which is accessible', async () => {
  const { page } = amaya
  await amaya.goes('/account')
  await page.waitForURL('**/myprofile')
  await section(amaya, 'Posts and roles').getByText('Faculty of Graduate Studies').waitFor()
  await expectAccessible(page)
})

chapter('the name is the register’s, and the page says who changes it there', async () => {
  const about = section(amaya, 'About you')
  await about.getByText('The student office changes it there.').waitFor()
  expect(await about.getByRole('textbox').count()).toBe(0)
})

chapter(
  'a photo that is not a picture is refused; a picture is shown round in the top bar, and can be removed',
  async () => {
    const { page } = amaya
    const about = section(amaya, 'About you')
    const choose = (file: { name: string; mimeType: string; buffer: Buffer }) =>
      page.getByLabel('Photo', { exact: true }).setInputFiles(file)
    await choose({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
    await about
      .getByRole('alert')
      .getByText('Please choose a JPEG, PNG or WebP picture. Nothing was changed.')
      .waitFor()
    // The server refuses a file that only claims to be a picture, in the same place and with the reason.
    amaya.expects(422, '/api/me/photo')
    await choose({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await about.getByRole('alert').getByText('This is not a picture that can be read').waitFor()
    const picture = sharp({ create: { width: 240, height: 320, channels: 3, background: '#1f6f78' } })
    await choose({ name: 'me.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() })
    const inBar = page.getByRole('button', { name: `Account of ${NAME}` }).locator('img')
    await inBar.waitFor()
    expect(await inBar.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(320)
    await amaya.picture('profile-photo')
    await about.getByRole('button', { name: 'Remove the photo' }).click()
    await dialog(amaya).getByRole('button', { name: 'Remove the photo' }).click()
    await inBar.waitFor({ state: 'hidden' })
  },
)

/** The page changes its language at once, and saves it on the account meanwhile. */
const keptLanguage = async (language: string) => {
  const me = await as(USERNAME)
  await comesTo(async () => String((await me.get('/api/me')).language), language)
}

chapter('the language is saved on the account: the next device uses it', async () => {
  await section(amaya, 'Language').getByRole('button', { name: 'සිංහල' }).click()
  await amaya.page.getByRole('heading', { name: 'භාෂාව' }).waitFor()
  await keptLanguage('si')
  await elsewhere.opens('/session/signin?to=/myprofile')
  await elsewhere.fillsInSignIn(USERNAME)
  await elsewhere.page.getByRole('heading', { name: 'භාෂාව' }).waitFor()
  await elsewhere.page.getByRole('button', { name: 'English' }).first().click()
  await section(elsewhere, 'Language').waitFor()
  // It applies everywhere; a page that was open before keeps its language.
  await keptLanguage('en')
  await amaya.page.getByRole('button', { name: 'English' }).first().click()
  await section(amaya, 'Language').waitFor()
})

chapter('the choice of emails is saved at once', async () => {
  const mails = section(amaya, 'Emails')
  const tasks = mails.getByRole('switch', { name: 'About work that waits for me' })
  await tasks.click()
  // The message stays while the pointer is over it, and its words stand out from its background.
  const saved = amaya.page.getByText('Saved', { exact: true })
  await saved.hover()
  expect(await contrastOf(saved)).toBeGreaterThan(4.5)
  expect((await (await as(USERNAME)).get('/api/me')).mails).toMatchObject({ tasks: false, cases: true })
  await tasks.click()
  await comesTo(async () => (await (await as(USERNAME)).get('/api/me')).mails.tasks, true)
})

chapter('a device signed out by another is out with its next act', async () => {
  const { page } = amaya
  await page.reload()
  const sessions = section(amaya, 'Where you are signed in')
  await sessions.getByText('this one').waitFor()
  const rows = sessions.getByRole('listitem').filter({ hasText: 'Chrome on Linux' })
  const before = await rows.count()
  expect(before).toBeGreaterThan(1)
  await rows.nth(1).getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await reads(page, 'Chrome on Linux is signed out')
  await comesTo(() => rows.count(), before - 1)
  for (const path of ['/api/auth/token', '/api/me/data']) elsewhere.expects(401, path)
  await section(elsewhere, 'Your data').getByRole('button', { name: 'Download my data' }).click()
  await elsewhere.page.waitForURL((at) => at.pathname === '/session/signin')
})

chapter('the download of her data has her own case, and nothing about anybody else', async () => {
  const arriving = amaya.page.waitForEvent('download')
  await section(amaya, 'Your data').getByRole('button', { name: 'Download my data' }).click()
  const download = await arriving
  expect(download.suggestedFilename()).toBe(`prakriya-${USERNAME}.json`)
  const text = readFileSync(await download.path(), 'utf8')
  const data = JSON.parse(text) as Record<string, unknown[]>
  expect(data['cases']).toContainEqual(expect.objectContaining({ reference: own.reference }))
  expect(JSON.stringify(data['submissions'])).toContain('Shadow play')
  for (const foreign of [others.reference, others.id, 'student.selvi', 'Another play', 'argon2'])
    expect(text).not.toContain(foreign)
})

chapter('a notification is counted as it arrives, leads to its page, and is deleted only on request', async () => {
  const { page } = amaya
  const student = await as(USERNAME)
  // Her demonstration booking sends a notification when it is confirmed.
  await until('her demonstration booking is confirmed', async () => {
    const { items } = await student.get('/api/mailbox')
    return items.some(({ subject }: { subject: string }) => subject.endsWith('is confirmed'))
  })
  await student.ok('POST', '/api/notification/delete-all')
  await amaya.opens('/dashboard')
  const bell = (name: string | RegExp) => page.getByRole('banner').getByRole('button', { name })
  await bell(/^Notifications$/).click()
  await dialog(amaya).getByRole('heading', { name: 'No notifications' }).waitFor()
  await page.keyboard.press('Escape')

  const tell = (title: string, path?: string) =>
    student.ok('POST', '/api/notification/add', {
      notification: { heading: 'Rehearsals', title, ...(path && { path }) },
    })
  await tell('The keys are ready')
  await tell('Your booking moves on', `/cases/${own.id}`)
  await bell('Notifications, 2 new').click()
  const list = dialog(amaya).getByRole('listitem')
  await comesTo(() => list.count(), 2)
  await amaya.picture('notifications')
  await expectAccessible(page)
  await list.getByRole('link', { name: /Your booking moves on/ }).click()
  await page.waitForURL(`**/cases/${own.id}`)

  await bell(/^Notifications$/).click()
  await list.getByRole('button', { name: 'Delete: The keys are ready' }).click()
  await comesTo(() => list.count(), 1)
  await dialog(amaya).getByRole('button', { name: 'Delete all' }).click()
  const question = page.getByRole('dialog', { name: 'Delete all notifications?' })
  await question.getByRole('button', { name: 'Keep them' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await list.count()).toBe(1)
  await dialog(amaya).getByRole('button', { name: 'Delete all' }).click()
  await question.getByRole('button', { name: 'Delete all' }).click()
  await dialog(amaya).getByRole('heading', { name: 'No notifications' }).waitFor()
  await comesTo(async () => (await student.get('/api/notification')).items.length, 0)
  await page.keyboard.press('Escape')
})

let recovery: string[]

chapter('an authenticator app is set up with password and first code, and required at the next sign-in', async () => {
  const { page } = amaya
  await amaya.opens('/myprofile')
  const factor = section(amaya, 'Second factor')
  await factor.getByRole('button', { name: 'Set up…' }).click()
  const password = dialog(amaya).getByLabel('Your password')
  await password.fill('not this one')
  amaya.expects(422, '/api/me/totp')
  await dialog(amaya).getByRole('button', { name: 'Continue' }).click()
  await dialog(amaya).getByText('The password is not correct').waitFor()
  await password.fill(PASSWORD)
  await dialog(amaya).getByRole('button', { name: 'Continue' }).click()
  await dialog(amaya).getByRole('img', { name: 'A QR code with the secret below' }).waitFor()
  await amaya.picture('totp')
  await expectAccessible(page)
  const secret = (await dialog(amaya).locator('code').textContent())!.replaceAll(' ', '')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = dialog(amaya).getByLabel('Code from the app')
  amaya.expects(422, '/api/me/totp/confirm')
  await code.fill(totp.generate({ timestamp: Date.now() - 3_600_000 }))
  await dialog(amaya).getByRole('button', { name: 'Confirm' }).click()
  await dialog(amaya).locator('.ant-form-item-explain-error').waitFor()
  await code.fill(totp.generate())
  await dialog(amaya).getByRole('button', { name: 'Confirm' }).click()
  const codes = dialog(amaya).locator('li code')
  await codes.first().waitFor()
  recovery = await codes.allTextContents()
  expect(new Set(recovery).size).toBe(10)
  await dialog(amaya).getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(recovery.join('\n'))
  await page.keyboard.press('Escape')
  await amaya.picture('recovery-codes')
  await dialog(amaya).getByRole('button', { name: 'I have saved them' }).click()
  await factor.getByText('On: a code from your telephone').waitFor()
  await factor.getByText('10 codes are left').waitFor()

  elsewhere.expects(401, '/api/auth/token')
  await elsewhere.opens('/session/signin?to=/myprofile')
  await elsewhere.fillsInSignIn(USERNAME)
  // The code of the next half minute: the present one has been used.
  await elsewhere.page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await section(elsewhere, 'Second factor').getByText('10 codes are left').waitFor()
})

chapter('the authenticator app is removed again with the password', async () => {
  const factor = section(amaya, 'Second factor')
  await factor.getByRole('button', { name: 'Turn off…' }).click()
  await dialog(amaya).getByLabel('Your password').fill(PASSWORD)
  await dialog(amaya).getByRole('button', { name: 'Turn off' }).click()
  await factor.getByText('Off', { exact: true }).waitFor()
})

chapter('a passkey is added under a name, signs in by itself, and is removed', async () => {
  const { page } = amaya
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const factor = section(amaya, 'Second factor')
  await factor.getByRole('button', { name: 'Add a passkey…' }).click()
  await dialog(amaya).getByLabel('Name of the passkey').fill('Studio computer')
  await dialog(amaya).getByLabel('Your password').fill(PASSWORD)
  await dialog(amaya).getByRole('button', { name: 'Continue' }).click()
  await dialog(amaya).getByRole('button', { name: 'I have saved them' }).click()
  await factor.getByText('Studio computer').waitFor()

  await page.getByRole('button', { name: `Account of ${NAME}` }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL((at) => at.pathname === '/session/signin')
  await amaya.opens('/session/signin?to=%2Fmyprofile')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await factor.getByText(/added .+ · last used/).waitFor()
  await factor.getByRole('button', { name: 'Remove the passkey Studio computer…' }).click()
  await dialog(amaya).getByLabel('Your password').fill(PASSWORD)
  await dialog(amaya).getByRole('button', { name: 'Remove the passkey' }).click()
  await factor.getByText('No passkey yet.').waitFor()
})

chapter('a weak password is refused at its field; a good one ends the sessions elsewhere', async () => {
  const changes = async (current: string, next: string) => {
    const part = section(amaya, 'Password')
    await part.getByLabel('Present password').fill(current)
    await part.getByLabel('New password').fill(next)
    await part.getByRole('button', { name: 'Change the password' }).click()
  }
  const part = section(amaya, 'Password')
  await changes(PASSWORD, 'abcdefgh')
  await part.getByText(/^Please enter a valid password/).waitFor()
  amaya.expects(422, '/api/me/password')
  await changes('not this one', OTHER)
  await part.getByText('The password is not correct').waitFor()
  await amaya.picture('profile-password')
  // The page may get the hint before its first request.
  for (const path of ['me', 'cases', 'notification', 'tasks', 'tasks/count', 'tasks/undoable'])
    elsewhere.expects(401, `/api/${path}`)
  await changes(PASSWORD, OTHER)
  await reads(amaya.page, 'Your password is changed. All other sessions have ended.')
  await section(amaya, 'Where you are signed in').getByText('You are signed in nowhere else.').waitFor()

  await elsewhere.goes('/cases')
  await reads(elsewhere.page, 'Your session has ended.')
})

test('a visitor finds by search what can be reserved; menu and notifications need a sign-in', async () => {
  const visitor = await visitors.arrives()
  const { page } = visitor
  // The address without a path is the public home for a visitor: what this is, and the four ways in.
  await visitor.opens('/')
  await page.waitForURL('**/public/home')
  await page.getByRole('heading', { name: 'What would you like to do?' }).waitFor()
  await reads(page, /^The portal of the University of Visual and Performing Arts/)
  const main = page.getByRole('main')
  for (const address of ['/all_resoures', '/track', '/verify', '/session/signin'])
    await main.locator(`a[href="${address}"]`).first().waitFor()
  for (const name of ['Menu, after you sign in', 'Notifications, after you sign in'])
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  const found = page.getByRole('region', { name: /^Reserve a room/ }).getByRole('listitem')
  await comesTo(() => found.count(), 6)
  await expectAccessible(page)
  await page.getByLabel('What are you looking for?').fill('no such thing')
  await page.getByRole('heading', { name: 'Nothing found for “no such thing”' }).waitFor()
  await page.getByLabel('What are you looking for?').fill('black box')
  await comesTo(() => found.count(), 1)
  await found.getByRole('link').click()
  await page.getByRole('dialog', { name: 'View Resource' }).getByText('DRT-TH-02').waitFor()
  // As a search engine links to it; the language of this device stays.
  await visitor.opens('/public/home?hl=si')
  await page.getByRole('heading', { name: 'ඔබට කුමක් කිරීමට අවශ්‍යද?' }).waitFor()
  await visitor.opens('/public/home')
  await page.getByRole('heading', { name: 'What would you like to do?' }).waitFor()
  expect(visitor.troubles()).toEqual([])
})

for (const language of ['en', 'si', 'ta'] satisfies Language[])
  test(`home, front page and profile are in ${language}, fit a phone, and are accessible`, async () => {
    const reader = await visitors.arrives()
    const { page } = reader
    await reader.signsIn('student.selvi')
    await page.addInitScript((chosen) => localStorage.setItem('prakriya.language', chosen), language)
    for (const [name, path] of Object.entries({ home: '/public/home', front: '/dashboard', profile: '/myprofile' })) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await reader.opens(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => !document.querySelector('main output'))
      const words = await page.evaluate(() => document.body.innerText)
      expect(words.match(/\b(?:platform|dashboard|public)\.[a-z][\w.-]*/g) ?? []).toEqual([])
      await expectAccessible(page)
      await reader.picture(`${name}-${language}`)
      await page.setViewportSize({ width: NARROW, height: 740 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
      await reader.picture(`${name}-${language}-narrow`)
    }
    expect(reader.troubles()).toEqual([])
    await page.context().close()
  })
