import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@tms/contracts'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { videoCallTests } from './pages/video-calls.ts'
import { violationsOn } from './support/accessibility.ts'
import { openBrowser } from './support/browser.ts'
import { type CallServer, startCallServer } from './support/call-server.ts'
import { linkIn, waitForMail } from './support/mails.ts'

const { fetchApiKey, inviteByEmail, createInviteLink, updateSettings } = endpoints.users
const PASSWORD = 'correct horse battery staple'

let product: TestSystem
let callServer: CallServer
let browser: Browser
/** Closes the resources of the page of another origin. */
let endElsewhere = () => {}
let made = 0
const newAddress = () => `person-${++made}@example.com`

beforeAll(async () => {
  callServer = await startCallServer()
  product = await startTestSystem({
    env: process.env,
    serviceEnv: {
      BIG_BLUE_BUTTON_URL: callServer.url,
      BIG_BLUE_BUTTON_SECRET: callServer.secret,
      // `fetch` can select an organization only by the headers of a proxy.
      TRUST_PROXY: 'true',
    },
  })
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser.close()
  await product.stop()
  callServer.close()
})

describe('a user with an e-mail invitation', () => {
  test('joins after correcting invalid input', async () => {
    const email = newAddress()
    await product.owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
    const page = await openMailed(email, 'invites you')

    // With an invalid name and password, the form keeps the name
    await page.getByLabel('Your name').fill('A*')
    await page.getByLabel('Password', { exact: true }).fill('password')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('A*')
    expect(await violationsOn(page)).toEqual([])

    await page.getByLabel('Your name').fill('Ann Able')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('heading', { name: 'Welcome, Ann Able!' }).waitFor()

    expect(await violationsOn(page)).toEqual([])
    const { user_id } = await product.anonymous.call(fetchApiKey, { username: email, password: PASSWORD })
    expect(user_id).toBeGreaterThan(0)
    await page.context().close()
  })

  test('finds that the link no longer works after it was used', async () => {
    const email = newAddress()
    await product.owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
    const page = await openMailed(email, 'invites you')
    const link = page.url()
    await signUp(page, 'Ben Baker')

    const answer = await page.goto(link)

    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'This link doesn’t work any more' }).waitFor()
    await page.context().close()
  })
})

describe('a client author', () => {
  test('reads the API reference in a browser, and tries it with an API key', async () => {
    const { email, account, userId } = product.owner
    const page = await openPage(`${product.baseUrl}/api/docs`)
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.getByText('Get your own user').first().waitFor()

    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByLabel('auth-basic-username').fill(email)
    await page.getByLabel('auth-basic-password').fill(account?.apiKey ?? '')
    await page.getByRole('button', { name: 'Apply credentials' }).first().click()
    await page.getByRole('button', { name: 'Close' }).first().click()
    await page.getByText('Get your own user').first().click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await page
      .locator('.live-responses-table')
      .filter({ hasText: `"user_id": ${userId}` })
      .waitFor()
    expect(complaints).toEqual([])

    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.locator('#MessageEvent summary').click()
    await page.locator('#MessageEvent').getByText('"flags"').first().waitFor()
    await page.getByText('messaging.message_sent.v1').click()
    await page.getByText('"raw_content"').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.context().close()
  })
})

describe('a page of another site with the TypeScript client', () => {
  afterAll(() => endElsewhere())

  test('signs in, sends a message, and receives it', async () => {
    const page = await openClientPage()
    const { email: username } = await product.createUser()
    const credentials = { username, password: `password of ${username}` }
    // An import in the function would be compiled for the process of the test.
    const content = "import * as client from '/index.js'; globalThis.client = client"
    await page.addScriptTag({ type: 'module', content })
    await page.waitForFunction("'client' in globalThis")
    const delivered = await page.evaluate(
      async ({ url, credentials: own }) => {
        const { signIn } = (globalThis as unknown as { client: typeof import('@tms/client') }).client
        const refused = await signIn(url, { ...own, password: 'x' }).catch(
          (err: { code: string }) => err.code,
        )
        const client = await signIn(url, own)
        const { user_id } = await client.getOwnUser()
        const received: unknown[] = [refused]
        for await (const event of client.events({ event_types: ['message'] })) {
          if (event.type === 'registered')
            await client.sendMessage({ type: 'direct', to: [user_id], content: 'to myself' })
          if (event.type !== 'message') continue
          received.push(event.message.content)
          break
        }
        return received
      },
      { url: product.baseUrl, credentials },
    )

    expect(delivered).toEqual(['AUTHENTICATION_FAILED', 'to myself'])
    await page.context().close()
  })
})

describe('a user with a reusable link', () => {
  test('confirms an e-mail address, and joins', async () => {
    const email = newAddress()
    const { invite_link } = await product.owner.call(createInviteLink, { stream_ids: [] })
    const page = await openPage(invite_link)
    expect(await violationsOn(page)).toEqual([])

    await page.getByLabel('E-mail address').fill('nobody')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page.goto(linkIn(await waitForMail(product, email, 'Confirm')))
    await signUp(page, 'Cara Cole')

    await product.anonymous.call(fetchApiKey, { username: email, password: PASSWORD })
    await page.context().close()
  })
})

describe('a user who forgot the password', () => {
  test('sets a new one', async () => {
    const { email } = await product.createUser('Dora Dent')
    const page = await openPage(`${product.baseUrl}/accounts/password/reset/`)
    expect(await violationsOn(page)).toEqual([])
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()

    await page.goto(linkIn(await waitForMail(product, email, 'new password')))
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()

    await product.anonymous.call(fetchApiKey, { username: email, password: PASSWORD })
    await page.context().close()
  })
})

describe('a user who changes the e-mail address', () => {
  test('confirms it by the link in the mail to the new address', async () => {
    const user = await product.createUser('Ella Eames')
    const email = newAddress()
    await user.call(updateSettings, { email })

    const page = await openMailed(email, 'Confirm')
    await page.getByRole('heading', { name: 'Your new address is confirmed' }).waitFor()

    expect(await violationsOn(page)).toEqual([])
    const me = await product.owner.call(endpoints.users.getUser, { user_id: user.userId })
    expect(me.user.delivery_email).toBe(email)
    await page.context().close()
  })
})

describe('a page', () => {
  test('cannot be framed or cached, sends no referrer, and runs only its own scripts', async () => {
    const answer = await fetch(`${product.baseUrl}/accounts/password/reset/`)

    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*script-src 'sha256-[^ ]+'/),
    })
  })

  test('shows input as text', async () => {
    const form = new URLSearchParams({ email: '"><script>alert(1)</script>' })
    const answer = await fetch(`${product.baseUrl}/accounts/password/reset/`, { method: 'POST', body: form })

    expect(answer.status).toBe(400)
    const body = await answer.text()
    expect(body).not.toContain('<script>alert')
    expect(body).toContain('&quot;&gt;&lt;script&gt;alert(1)')
  })

  test.each([
    ['/join/nonsense/'],
    ['/accounts/do_confirm/nonsense'],
    ['/accounts/password/reset/nonsense/'],
    ['/accounts/confirm_new_email/nonsense'],
    ['/join/'],
  ])('explains that %s leads nowhere', async (path) => {
    const answer = await fetch(`${product.baseUrl}${path}`)

    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('This link doesn’t work any more')
  })
})

videoCallTests({ system: () => product, callServer: () => callServer, open: (url) => openPage(url) })

async function openPage(url: string): Promise<Page> {
  // The page's own policy applies, except to the script that reads the page.
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** An empty page of another origin, with the modules of the client beside it. */
async function openClientPage(): Promise<Page> {
  const modules = new URL('../../clients/typescript/dist/', import.meta.url)
  // On this machine too: browsers block requests from network pages to it.
  const elsewhere = createServer(({ url = '' }, response) => {
    if (url === '/') return response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>')
    // Browsers also request an icon of the page.
    if (!url.endsWith('.js')) return response.writeHead(404).end()
    const text = readFileSync(new URL(`.${url}`, modules), 'utf8')
    response.setHeader('content-type', 'text/javascript').end(text)
  })
  elsewhere.listen(0, '127.0.0.1')
  endElsewhere = () => {
    elsewhere.close()
    elsewhere.closeAllConnections()
  }
  await once(elsewhere, 'listening')
  return openPage(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
}

/** Opens the link of the newest mail to an address. */
const openMailed = async (email: string, subject: string): Promise<Page> =>
  openPage(linkIn(await waitForMail(product, email, subject)))

async function signUp(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('heading', { name: `Welcome, ${name}!` }).waitFor()
}
