import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signOnSettings } from '@tms/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOAuthProvider } from './open-providers.ts'
import type { Attempt, Provider } from './provider.ts'

const ATTEMPT: Attempt = {
  state: 'state-of-this-attempt',
  nonce: '',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://chat.example.com/complete/github/',
}
const PERSON = { id: 7, login: 'ada', name: 'Ada Lovelace' }
const address = (email: string, verified = true, primary = false) => ({ email, verified, primary })

/** Answers by path: a status and what is sent. */
let answers: Record<string, readonly [status: number, body: unknown]> = {}
let asked: { path: string; authorization: string | undefined; body: string }[] = []
let url = ''
const server = createServer(
  (request, response) =>
    void serve(request).then((answer) => {
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]))
    }),
)

async function serve(request: IncomingMessage): Promise<readonly [number, unknown]> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const path = request.url ?? ''
  asked.push({ path, authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() })
  return answers[path] ?? [404, {}]
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  answers = {
    '/login/oauth/access_token': [200, { access_token: 'access', token_type: 'bearer', scope: 'user:email' }],
    '/user': [200, PERSON],
    '/user/emails': [200, [address('ada@example.com', true, true)]],
  }
})

function opened(settings: object = {}): Promise<Provider> {
  const common = { kind: 'github', client_id: 'chat', client_secret: 's3cret', allow_unencrypted: true }
  const { providers } = signOnSettings.parse({ providers: [{ ...common, url, api_url: url, ...settings }] })
  const [only] = providers
  if (!only || only.kind === 'saml') throw new Error('no provider')
  return openOAuthProvider(only, (name) => name, {})
}

const answered = async (provider = opened()) =>
  (await provider).verify(ATTEMPT, { state: ATTEMPT.state, code: 'code' })

describe('GitHub', () => {
  test('is asked for addresses, with state and a challenge', async () => {
    const target = await (await opened()).findSignInUrl(ATTEMPT)
    expect(target.pathname).toBe('/login/oauth/authorize')
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      ...{ client_id: 'chat', redirect_uri: ATTEMPT.redirectUri, scope: 'user:email', state: ATTEMPT.state },
      code_challenge_method: 'S256',
    })
  })

  test('says who somebody is, by an ID that stays and verified addresses, the primary one first', async () => {
    answers['/user/emails'] = [
      200,
      [
        address('old@example.com'),
        address('claimed@example.com', false),
        address('7+ada@users.noreply.github.com'),
        address('ada@example.com', true, true),
      ],
    ]
    expect(await answered()).toMatchObject({
      kind: 'proven',
      person: {
        ...{ issuer: url, subject: '7', fullName: 'Ada Lovelace' },
        addresses: ['ada@example.com', 'old@example.com'],
        deadAddresses: ['7+ada@users.noreply.github.com'],
      },
    })
    expect(asked.map(({ path }) => path)).toEqual(['/login/oauth/access_token', '/user', '/user/emails'])
    expect(asked[1]?.authorization).toBe('Bearer access')
    expect(asked[0]?.body).toContain('code_verifier=')
  })

  test('may know no name, and no verified address', async () => {
    answers['/user'] = [200, { ...PERSON, name: null }]
    answers['/user/emails'] = [200, [address('ada@example.com', false, true)]]
    expect(await answered()).toMatchObject({ person: { addresses: [], fullName: 'ada' } })
  })

  test('admits members of the organization alone, if one is set', async () => {
    const provider = opened({ organization: 'example' })
    const path = '/user/memberships/orgs/example'
    expect((await (await provider).findSignInUrl(ATTEMPT)).searchParams.get('scope')).toBe(
      'user:email read:org',
    )
    expect(await answered(provider)).toEqual({ kind: 'foreign' })
    answers[path] = [200, { state: 'pending' }]
    expect(await answered(provider)).toEqual({ kind: 'foreign' })
    answers[path] = [200, { state: 'active' }]
    expect(await answered(provider)).toMatchObject({ kind: 'proven' })
  })

  test('refuses a wrong code, and an answer of another attempt', async () => {
    answers['/login/oauth/access_token'] = [200, { error: 'bad_verification_code' }]
    expect(await answered()).toMatchObject({ kind: 'wrong' })
    expect(await (await opened()).verify(ATTEMPT, { state: 'another', code: 'code' })).toMatchObject({
      kind: 'wrong',
    })
  })

  test('that fails is unavailable', async () => {
    answers['/user/emails'] = [502, {}]
    await expect(answered()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
