import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { TOTP } from 'otpauth'
import { expectAccessible } from './kit/axe.ts'
import { openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { looks } from './kit/looks.ts'
import { as, send } from './kit/people.ts'
import { until } from './kit/poll.ts'

const RULE =
  'Please enter a valid password (at least 8 characters, containing at least one uppercase letter, one lowercase letter, and one digit)'
const GOOD = 'Veena-Sarod-27'
const TAKEN = 'This Email is Already Taken!'

let visitors: Visitors
let visitor: Visitor
let made = 0
/** An address that no run on this data has used. */
const anAddress = () => `kumari.${Date.now()}.${(made += 1)}@example.lk`

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())
afterEach(() => expect(visitor.troubles()).toEqual([]))

const heading = ({ page }: Visitor, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
/** The path in the address bar, without the origin. */
const here = ({ page }: Visitor) => page.evaluate(() => location.pathname + location.search)
const arrivesAt = ({ page }: Visitor, path: string) => page.waitForURL((at) => at.pathname + at.search === path)

/** The link to this page in the newest mail to an address, once there is one. */
function linkTo(page: string, address: string, other?: string): Promise<string> {
  return until(`a mail to ${address} with a link to ${page}`, async () => {
    const { items } = await (await as('admin')).get('/api/mailbox?limit=100')
    const mails = items.filter((mail: any) => mail.to === address)
    const links = mails.map(({ body }: any) => new RegExp(`${page}\\?token=[\\w-]+`).exec(body)?.[0])
    return links.find((link: string | undefined) => link !== undefined && link !== other)
  })
}

/** Confirms the address with the mailed link, without its page; before that no second factor can be set up. */
async function confirms(email: string): Promise<void> {
  const token = (await linkTo('/session/confirm-email', email)).split('token=')[1]
  expect((await send('POST', '/api/auth/confirm-email', { body: { token } })).status).toBe(204)
}

/** Fills in the account form, on any page that has it. */
async function fillsInAccount({ page }: Visitor, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('First Name').fill('Kumari')
  await page.getByLabel('Full Name').fill('Kumari Perera')
  await page.getByLabel('NIC').fill('199981234567')
  await page.getByLabel('Mobile No').fill('0771231231')
}

async function setsPassword({ page }: Visitor, password = GOOD): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
}

async function signsInAs(who: Visitor, username: string, password: string): Promise<void> {
  await who.page.getByLabel('Username').fill(username)
  await who.page.getByLabel('Password').fill(password)
  await who.page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs up on the page and arrives at the dashboard. */
async function signsUp(who: Visitor, email: string): Promise<void> {
  await who.opens('/session/signup')
  await who.page.getByLabel('Email').fill(email)
  await who.page.getByLabel('Password', { exact: true }).fill(GOOD)
  await who.page.getByRole('button', { name: 'Sign Up' }).click()
  await arrivesAt(who, '/dashboard')
}

describe('an applicant', () => {
  test('sees what is wrong at each field, and that an address is taken, before anything is created', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    await visitor.opens('/applicant/account/create')
    await heading(visitor, 'Create an applicant account')
    await page.getByRole('button', { name: 'Create Account' }).click()
    const summary = page.getByRole('alert')
    await summary.getByRole('heading', { name: 'There is a problem with 5 answers' }).waitFor()
    expect(await summary.getByRole('listitem').allTextContents()).toEqual([
      'Email: This field is required',
      'First Name: This Field is required!',
      'Full Name: This Field is required!',
      'NIC: Please enter a valid NIC Number(Eg:991234567V or 991234567v or 199981234567)',
      'Mobile No: Please enter valid mobile number E.g.(0771231231)',
    ])
    await expectAccessible(page)
    await visitor.picture('account-errors')

    await page.getByLabel('Email').fill('nuwan@')
    await page.getByLabel('First Name').fill('Kumari2')
    await page.getByLabel('NIC').fill('319981234567')
    await page.getByLabel('Mobile No').fill('077123')
    await page.getByLabel('Surname').focus()
    await reads(page, 'Email is not valid')
    await reads(page, 'This Field Do Not Accept Numbers!')

    const { email } = await as('student.nuwan')
    // Findings from a blur join the error summary.
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Surname').focus()
    await page
      .getByRole('alert')
      .getByRole('link', { name: `Email: ${TAKEN}` })
      .waitFor()
    await fillsInAccount(visitor, email)
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/auth/accounts') && sent.push(request.url()))
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.getByRole('alert').getByText(TAKEN).first().waitFor()
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Kumari Perera')
    expect(sent).toEqual([])
  })

  test('creates an account, waits three seconds for the password step, sets one and signs in to the requested page', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    const email = anAddress()
    await visitor.opens('/applicant/account/create?to=%2Fcases')
    await fillsInAccount(visitor, email)
    await reads(page, 'Valid Email')
    await visitor.picture('account-form')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await reads(page, 'Account Created Successfully!')
    const begun = Date.now()
    // The check of the password arrives after the first attempt to send one: that one is not sent unchecked.
    const { promise: attempted, resolve: attempt } = Promise.withResolvers<void>()
    await page.route('**/validator.js', (route) => attempted.then(() => route.continue()))
    await page.getByRole('progressbar').waitFor()
    await visitor.picture('account-made')
    await expectAccessible(page)

    await heading(visitor, 'Create a Password')
    expect(Date.now() - begun).toBeGreaterThan(2000)
    await reads(page, 'At least 8 characters')
    await setsPassword(visitor, 'kumari')
    attempt()
    await reads(page, RULE)
    await expectAccessible(page)
    visitor.expects(422, '/api/auth/reset-password')
    await setsPassword(visitor, 'Password123')
    await reads(page, 'This password is too easy to guess')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
    await visitor.picture('account-password')
    await setsPassword(visitor)
    await reads(page, 'Password Creation Successfull!')
    await heading(visitor, 'CONGRATULATIONS!')
    await reads(page, 'Your Account has been Successfully Created')
    await visitor.picture('account-done')

    await page.getByRole('button', { name: 'Ok' }).click()
    expect(await page.getByLabel('Username').inputValue()).toBe(email)
    await page.getByLabel('Password').fill(GOOD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await arrivesAt(visitor, '/cases')
  })

  test('sets the password later with the mailed link, which works once, and requests another when it is used', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    const email = anAddress()
    await visitor.opens('/session/applicant-signup')
    await heading(visitor, 'Applicant sign-up')
    await fillsInAccount(visitor, email)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await reads(page, 'Account Created Successfully!')

    // In another browser only the mail identifies the account.
    visitor = await visitors.arrives()
    await visitor.opens('/applicant/account/setupPwd')
    await heading(visitor, 'Create a Password')
    expect(await visitor.page.getByLabel('Password', { exact: true }).count()).toBe(0)
    // People who do not set it at once get the link by mail minutes later, or on request.
    await visitor.page.getByLabel('Email').fill(email)
    await visitor.page.getByRole('button', { name: 'Send the link' }).click()
    await heading(visitor, 'Check your email')
    const first = await linkTo('/applicant/account/setupPwd', email)
    await visitor.opens(first)
    await reads(visitor.page, `For the account ${email}.`)
    await expectAccessible(visitor.page)
    await setsPassword(visitor)
    await heading(visitor, 'Password Creation Successfull!')
    await expectAccessible(visitor.page)

    visitor.expects(410, '/api/auth/tokens/look')
    await visitor.opens(first)
    await heading(visitor, 'This link no longer works')
    await visitor.picture('link-spent')
    await expectAccessible(visitor.page)
    await visitor.page.getByLabel('Email').fill(email)
    await visitor.page.getByRole('button', { name: 'Send the link' }).click()
    await heading(visitor, 'Check your email')
    await visitor.opens(await linkTo('/session/forgot-password', email))
    await heading(visitor, 'Choose a new password')
  })

  test('continues with the password after a reload, in the browser that created the account', async () => {
    visitor = await visitors.arrives()
    const email = anAddress()
    await visitor.opens('/session/applicant-create-account')
    await fillsInAccount(visitor, email)
    await visitor.page.getByRole('button', { name: 'Create Account' }).click()
    await visitor.page.getByRole('button', { name: 'Continue now' }).click()
    await heading(visitor, 'Create a Password')
    await visitor.opens('/applicant/account/setupPwd')
    await reads(visitor.page, `For the account ${email}.`)
    await setsPassword(visitor)
    await heading(visitor, 'Password Creation Successfull!')
    await visitor.page.getByRole('link', { name: 'Sign in', exact: true }).click()
    expect(await visitor.page.getByLabel('Username').inputValue()).toBe(email)
  })
})

describe('a visitor who books', () => {
  test('creates an account in dialogs, keeps what was typed, and returns to the booking', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    await visitor.opens('/all_resoures')
    await page.getByRole('button', { name: 'Book Resource' }).first().click()
    const question = page.getByRole('dialog', { name: 'Do you have an account?' })
    await question.getByRole('button', { name: 'Create new Account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an Account' })
    const email = anAddress()
    await fillsInAccount(visitor, email)
    await visitor.picture('dialog-account')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Book Resource' }).first().click()
    await question.getByRole('button', { name: 'Create new Account' }).click()
    expect(await dialog.getByLabel('Full Name').inputValue()).toBe('Kumari Perera')

    // The connection is lost: no input is lost.
    await page.route('**/api/auth/accounts', (route) => route.abort('internetdisconnected'), { times: 1 })
    await dialog.getByRole('button', { name: 'Create Account' }).click()
    await reads(page, 'Error!')
    await dialog.getByText('What you typed is still here.').waitFor()
    expect(visitor.troubles()).toEqual([expect.stringContaining('/api/auth/accounts')])
    await dialog.getByRole('button', { name: 'Create Account' }).click()
    await reads(page, 'Account has been created successfully!')
    await dialog.getByRole('button', { name: 'Continue now' }).click()
    await page.getByRole('dialog', { name: 'Create a Password' }).waitFor()
    await visitor.picture('dialog-password')
    await expectAccessible(page)
    await setsPassword(visitor)
    const done = page.getByRole('dialog', { name: 'CONGRATULATIONS!' })
    await done.getByText('Your Account has been Successfully Created').waitFor()
    await visitor.picture('dialog-done')
    await done.getByRole('button', { name: 'Ok' }).click()
    await reads(page, 'The page you asked for needs a sign-in.')
    await page.getByLabel('Password').fill(GOOD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog', { name: 'Book Resource' }).getByRole('heading', { level: 2 }).waitFor()
  })
})

describe('sign-up', () => {
  test('states the password rule first, refuses what breaks it, and then signs in', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    await visitor.opens('/signup?to=%2Fcases')
    await heading(visitor, 'Sign up')
    await reads(page, 'At least 8 characters')
    await expectAccessible(page)
    const signUp = page.getByRole('button', { name: 'Sign Up' })
    await signUp.click()
    expect(await page.getByText('This field is required').count()).toBe(2)
    await page.getByLabel('Email').fill((await as('student.nuwan')).email)
    await page.getByLabel('Password', { exact: true }).fill('kumari')
    await reads(page, TAKEN)
    await signUp.click()
    await reads(page, RULE)
    await visitor.picture('sign-up')
    const email = anAddress()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(GOOD)
    await reads(page, 'Valid Email')
    await signUp.click()
    await reads(page, 'Account has been created successfully!')
    await arrivesAt(visitor, '/cases')

    await visitor.opens(await linkTo('/session/confirm-email', email))
    await reads(page, `Confirm that ${email} is your address.`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading(visitor, 'Email address confirmed')
    visitor.expects(410, '/api/auth/tokens/look')
    await visitor.opens(await linkTo('/session/confirm-email', email))
    await heading(visitor, 'This link no longer works')
  })

  test('keeps the language that a visitor chose before signing in, also on the account', async () => {
    const email = anAddress()
    visitor = await visitors.arrives()
    await signsUp(visitor, email)
    // The second browser has no choice of its own: it takes the account's.
    for (const chooses of [true, false]) {
      visitor = await visitors.arrives()
      const { page } = visitor
      await visitor.opens('/session/signin')
      if (chooses) await page.getByRole('button', { name: 'සිංහල' }).click()
      await page.locator(`html[lang=${chooses ? 'si' : 'en'}]`).waitFor()
      await page.locator('input[autocomplete=username]').fill(email)
      await page.locator('input[autocomplete=current-password]').fill(GOOD)
      const kept = chooses && page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
      await page.locator('button[type=submit]').click()
      await kept
      await arrivesAt(visitor, '/dashboard')
      await page.locator('html[lang=si]').waitFor()
    }
  })

  test('keeps what is typed before everything has loaded', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    let release!: () => void
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/en_GB-*.js', (route) => held.then(() => route.continue()))
    await visitor.opens('/session/signin')
    const username = page.getByLabel('Username')
    await username.fill('kumari')
    const arrived = page.waitForResponse('**/en_GB-*.js')
    release()
    await (await arrived).finished()
    await page.locator('h1').evaluate(() => new Promise(requestAnimationFrame))
    expect(await username.inputValue()).toBe('kumari')
  })

  test('is not offered to somebody who is signed in', async () => {
    visitor = await visitors.arrives()
    await visitor.signsIn('student.nuwan', '/cases')
    await visitor.goes('/session/signup?to=%2Fcases')
    await reads(visitor.page, 'You are signed in as Nuwan Jayawardena')
    expect(await visitor.page.getByLabel('Email').count()).toBe(0)
    await visitor.page.getByRole('link', { name: 'Continue' }).click()
    await arrivesAt(visitor, '/cases')
  })
})

describe('a forgotten password', () => {
  test('is reset with the mailed link, and the answer does not reveal which addresses are known', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    const email = anAddress()
    await signsUp(visitor, email)
    visitor = await visitors.arrives()
    const reader = visitor.page
    await visitor.opens('/session/signin')
    await reader.getByRole('link', { name: 'Forgot password?' }).click()
    await heading(visitor, 'Forgot password')
    const ask = reader.getByRole('button', { name: 'Send the link' })
    await ask.click()
    await reader.getByText('This field is required').waitFor()
    await reader.getByLabel('Email').fill('kumari@')
    await ask.click()
    await reader.getByText('Email is not valid').waitFor()
    await expectAccessible(reader)
    const said: (string | null)[] = []
    for (const address of [`nobody-${email}`, email]) {
      await reader.getByLabel('Email').fill(address)
      await ask.click()
      await heading(visitor, 'Check your email')
      said.push((await reader.getByText('belongs to an account').textContent())!.replace(address, 'it'))
      await visitor.picture('forgot-sent')
      if (address !== email) await reader.getByRole('button', { name: 'Send it again' }).click()
    }
    expect(said[0]).toBe(said[1])

    await visitor.opens(await linkTo('/session/forgot-password', email))
    await heading(visitor, 'Choose a new password')
    expect(await reader.title()).toContain('Choose a new password')
    await expectAccessible(reader)
    await setsPassword(visitor, 'Raban-Pandura-9')
    await heading(visitor, 'Password Reset Successfull!')
    // A reload does not report a used link.
    expect(await here(visitor)).toBe('/session/forgot-password')
    await reader.getByRole('link', { name: 'Sign in', exact: true }).click()
    visitor.expects(401, '/api/auth/token')
    await signsInAs(visitor, email, GOOD)
    await reader.getByRole('alert').getByText('Username or password is not right').waitFor()
    expect(await reader.getByLabel('Username').inputValue()).toBe(email)
    await signsInAs(visitor, email, 'Raban-Pandura-9')
    await arrivesAt(visitor, '/dashboard')
    await page.context().close()
  })
})

describe('signing in', () => {
  test('needs a second step if the account has one: a code of the app, or a recovery code', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    const email = anAddress()
    await signsUp(visitor, email)
    await confirms(email)
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: GOOD })
    const token = (await send('POST', '/api/auth/token', { body })).body.access_token
    const { secret } = (await send('POST', '/api/me/totp', { token, body: { password: GOOD } })).body
    const app = new TOTP({ secret })
    const confirmed = await send('POST', '/api/me/totp/confirm', { token, body: { code: app.generate() } })
    const kept: string[] = confirmed.body.recoveryCodes

    visitor = await visitors.arrives()
    const reader = visitor.page
    visitor.expects(401, '/api/auth/token')
    await visitor.opens('/session/signin?to=%2Fcases')
    await signsInAs(visitor, email, GOOD)
    await heading(visitor, 'One more step')
    await expectAccessible(reader)
    const login = reader.getByRole('button', { name: 'Sign in', exact: true })
    await login.click()
    await reader.getByText('This field is required').waitFor()
    await reader.getByLabel('Code').fill(app.generate() === '000000' ? '000001' : '000000')
    await login.click()
    await reader.getByRole('alert').waitFor()
    expect(await here(visitor)).toBe('/session/signin?to=%2Fcases')
    await visitor.picture('second-step')
    await reader.getByRole('button', { name: 'Use a recovery code' }).click()
    await reader.getByLabel('Recovery code').fill(kept[0]!)
    await login.click()
    await arrivesAt(visitor, '/cases')
    await page.context().close()
  })

  test('accepts a passkey alone, and says so when none was used', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await visitor.opens('/session/signin?to=%2Fcases')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await reads(page, 'No passkey was used.')

    const email = anAddress()
    await signsUp(visitor, email)
    await confirms(email)
    // A page without requests: no request may be in progress during the sign-out below.
    await visitor.opens('/session/404')
    await page.evaluate(
      async ([username, password]) => {
        const post = async (path: string, body: object, token = '') => {
          const headers = { 'content-type': 'application/json', authorization: token }
          return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
        }
        const form = new URLSearchParams({ grant_type: 'password', username: username!, password: password! })
        const tokens = await (await fetch('/api/auth/token', { method: 'POST', body: form })).json()
        const token = `Bearer ${tokens.access_token}`
        const { challenge, options } = await post('/api/me/passkeys/options', { password }, token)
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
        const response = ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
        await post('/api/me/passkeys', { challenge, name: 'This computer', response }, token)
        await fetch('/api/auth/logout', { method: 'POST' })
      },
      [email, GOOD],
    )
    visitor.expects(401, '/api/auth/token')
    await visitor.opens('/session/signin?to=%2Fcases')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await arrivesAt(visitor, '/cases')
  })

  test('continues by itself after many failures: the browser solves a proof of work', async () => {
    visitor = await visitors.arrives()
    const email = anAddress()
    await signsUp(visitor, email)
    await visitor.page.context().clearCookies()
    visitor = await visitors.arrives()
    const { page } = visitor
    for (let n = 0; n < 6; n += 1)
      await send('POST', '/api/auth/token', {
        body: new URLSearchParams({ grant_type: 'password', username: email, password: 'wrong' }),
      })
    visitor.expects(428, '/api/auth/token')
    let asked = 0
    page.on('response', (response) => (asked += Number(response.status() === 428)))
    await visitor.opens('/session/signin')
    await signsInAs(visitor, email, GOOD)
    await arrivesAt(visitor, '/dashboard')
    expect(asked).toBe(1)
  })

  test('leads only to our own pages', async () => {
    visitor = await visitors.arrives()
    // The browser remembers a session, and its request for one is refused.
    visitor.expects(401, '/api/auth/token')
    for (const to of [
      '//example.org/',
      'https://example.org/',
      '/\\example.org',
      '/\t/example.org',
      '/session/signin',
    ]) {
      await visitor.opens(`/login?to=${encodeURIComponent(to)}`)
      await visitor.fillsInSignIn('student.nuwan')
      await arrivesAt(visitor, '/dashboard')
      await visitor.page.context().clearCookies()
    }
  })

  test('keeps the requested address, with filters, through /login and an expired session', async () => {
    visitor = await visitors.arrives()
    const target = '/cases?search=drums'
    // A guarded page asks for a session first.
    visitor.expects(401, '/api/auth/token')
    await visitor.opens(target)
    await reads(visitor.page, 'The page you asked for needs a sign-in.')
    expect(await here(visitor)).toBe(`/session/signin?to=${encodeURIComponent(target)}`)
    await visitor.page.getByRole('link', { name: 'Sign Up' }).click()
    await visitor.page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await visitor.fillsInSignIn('student.nuwan')
    await arrivesAt(visitor, target)
    // Back leads to the previous page, not to the sign-in again.
    await visitor.page.goBack()
    expect(await here(visitor)).not.toMatch(/signin/)
  })
})

describe('two tabs of a browser', () => {
  test('sign in and out together', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    visitor.expects(401, '/api/auth/token')
    await visitor.opens('/cases')
    await page.getByLabel('Username').waitFor()
    const second = await page.context().newPage()
    await second.goto('/session/signin')
    await second.getByLabel('Username').fill('student.nuwan')
    await second.getByLabel('Password').fill('Prakriya2026')
    await second.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(visitor, 'My cases')
    await page
      .getByRole('button', { name: /Account of Nuwan/ })
      .first()
      .click()
    await second.evaluate(() => history.pushState(null, '', '/inbox'))
    await second.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await page.getByText('Logout').click()
    await second.waitForURL('**/session/signin**')
    // Back does not show the previous page's content.
    await second.goBack()
    await second.getByLabel('Username').waitFor()
  })

  test('belong to the same person: when another signs in, no data of the previous person stays on screen', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    await visitor.signsIn('student.nuwan', '/myprofile')
    await reads(page, 'Nuwan Jayawardena')
    const second = await page.context().newPage()
    await second.goto('/session/404')
    await second.evaluate(async () => {
      const body = new URLSearchParams({
        client_id: 'web',
        grant_type: 'password',
        username: 'student.selvi',
        password: 'Prakriya2026',
      })
      // As a sign-in does: not while this tab still renews the previous person's cookie.
      const { status } = await navigator.locks.request('prakriya.refresh', () =>
        fetch('/api/auth/token', { method: 'POST', body }),
      )
      if (status !== 200) throw new Error(`the sign-in answers ${status}`)
      new BroadcastChannel('prakriya.session').postMessage('the account of somebody else')
    })
    await reads(page, 'Selvi Rajaratnam')
    expect(await page.getByText('Nuwan Jayawardena').count()).toBe(0)
  })
})

describe('temporary employees', () => {
  test('are managed by authorised staff: a list, a form and a detail page', async () => {
    visitor = await visitors.arrives()
    const { page } = visitor
    await visitor.signsIn('student.nuwan', '/temp/view')
    await heading(visitor, 'This page is not open to you')

    visitor = await visitors.arrives()
    const reader = visitor.page
    await visitor.signsIn('admin', '/temp/create')
    await reader.getByRole('button', { name: 'Save' }).click()
    await reader.getByRole('alert').getByText('This field is required').first().waitFor()
    const name = `Sunil ${String.fromCharCode(65 + (Date.now() % 26))}${anAddress().replaceAll(/[^a-z]/g, '')}`
    await reader.getByLabel('Full name', { exact: false }).first().fill(name)
    await reader.getByLabel('NIC').fill(`1999${String(Date.now()).slice(-8)}`)
    await reader.getByLabel('Email').fill(anAddress())
    await reader.getByRole('button', { name: 'Save' }).click()
    await heading(visitor, new RegExp(name))
    const id = (await here(visitor)).split('/').at(-1)!
    await visitor.goes(`/temp/full_view?id=${id}`)
    await heading(visitor, new RegExp(name))
    await reader.getByRole('link', { name: 'Change' }).click()
    await reader.getByRole('button', { name: 'Cancel' }).click()
    await heading(visitor, new RegExp(name))
    await visitor.goes(`/temp/view?search=${encodeURIComponent(name)}`)
    await reader.getByRole('link', { name }).click()
    await reader.waitForURL(`**/temp/full_view?id=${id}`)
    await heading(visitor, new RegExp(name))
    await page.context().close()
  })
})

describe('in every language and on a phone', () => {
  const pages = {
    signin: '/session/signin',
    signup: '/session/signup',
    forgot: '/session/forgot-password',
    applicant: '/applicant/account/create',
    'set-password': '/applicant/account/setupPwd',
    'confirm-email': '/session/confirm-email',
  }
  test.each(['en', 'si', 'ta'] as const)(
    'the account pages speak %s, whole and within a screen and a phone',
    async (language) => {
      visitor = await visitors.arrives({ language })
      const { page } = visitor
      for (const [name, path] of Object.entries(pages)) {
        await visitor.opens(path)
        const title = page.getByRole('heading', { level: 1 })
        await title.waitFor()
        await page.waitForFunction(() => !document.querySelector('main output'))
        const script = { en: /[A-Za-z]/, si: /[\u0D80-\u0DFF]/, ta: /[\u0B80-\u0BFF]/ }[language]
        expect(await title.textContent()).toMatch(script)
        expect(
          await page.evaluate(
            () => document.body.innerText.match(/\b(?:platform|session|applicant-accounts)\.[a-z][\w.-]*/g) ?? [],
          ),
        ).toEqual([])
        await looks(visitor, `${name}-${language}`)
      }
    },
  )
})
