import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createSecureServer, type IncomingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { until } from './until.ts'

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A request to a service for apps, with its parsed body. */
export interface AppPush {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  readonly bytes: number
}

/** A stand-in for a push service for apps, which checks credentials, protocol and size. */
export interface AppPushService {
  /** What users is given. */
  readonly variables: Readonly<Record<string, string>>
  readonly faults: readonly string[]
  /** What arrived for a token, in order. */
  received(token: string): AppPush[]
  waitFor(token: string, count: number): Promise<AppPush[]>
  /** Answers the next requests for a token in this way. */
  answerNext(token: string, ...answers: Answer[]): void
  close(): void
}

/** What stand-ins have in common: what arrived by token, and what to answer. */
function createRecord() {
  const received = new Map<string, AppPush[]>()
  const answers = new Map<string, Answer[]>()
  const of = (token: string) => received.get(token) ?? []
  return {
    faults: [] as string[],
    take(token: string, push: AppPush): Answer {
      const answer = answers.get(token)?.shift() ?? { status: 200 }
      received.set(token, [...of(token), push])
      return answer
    },
    received: of,
    waitFor: async (token: string, count: number) => {
      await until(async () => of(token).length >= count)
      return of(token)
    },
    answerNext: (token: string, ...next: Answer[]) => {
      answers.set(token, [...(answers.get(token) ?? []), ...next])
    },
  }
}

/** Firebase Cloud Messaging, with Google's endpoint for tokens. */
export async function startFcm(): Promise<AppPushService> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const record = createRecord()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const reply = ({ status, body = {}, headers = {} }: Answer) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    try {
      if (request.url === '/token') {
        const form = new URLSearchParams(text)
        const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
          audience: `${url}/token`,
        })
        if (
          form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' ||
          payload.iss !== 'a@b.c'
        )
          throw new Error('wrong grant')
        return reply({ status: 200, body: { access_token: 'access', expires_in: 3_600 } })
      }
      if (request.url !== '/v1/projects/the-project/messages:send') throw new Error(`path ${request.url}`)
      if (request.headers.authorization !== 'Bearer access') throw new Error('wrong token')
      const { message } = JSON.parse(text) as { message: { token: string; data: Record<string, unknown> } }
      if (Object.values(message.data).some((value) => typeof value !== 'string'))
        throw new Error('data must be strings')
      const bytes = Buffer.byteLength(JSON.stringify(message.data))
      if (bytes > 4_096) throw new Error('too large')
      return reply(
        record.take(message.token, {
          path: request.url,
          headers: request.headers,
          body: { ...message },
          bytes,
        }),
      )
    } catch (err) {
      record.faults.push(String(err))
      return reply({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...record,
    variables: {
      FCM_URL: url,
      FCM_SERVICE_ACCOUNT: JSON.stringify({
        ...{ project_id: 'the-project', client_email: 'a@b.c', token_uri: `${url}/token` },
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      }),
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Apple's service: HTTP/2 over TLS with this certificate. */
export async function startApns(tls: {
  readonly key: string
  readonly cert: string
}): Promise<AppPushService> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = createPublicKey(createPrivateKey(pem))
  const record = createRecord()
  const server = createSecureServer(tls)
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {})
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const reply = ({ status, body: content, headers: more = {} }: Answer) => {
      stream.respond({ ':status': status, ...more })
      stream.end(content === undefined ? '' : JSON.stringify(content))
    }
    try {
      const token = /^\/3\/device\/([0-9a-f]+)$/.exec(String(headers[':path']))?.[1]
      if (headers[':method'] !== 'POST' || token === undefined) throw new Error('wrong path')
      const jwt = /^bearer (.+)$/.exec(String(headers.authorization))?.[1] ?? ''
      const { payload, protectedHeader } = await jwtVerify(jwt, publicKey, { algorithms: ['ES256'] })
      if (payload.iss !== 'TEAM' || protectedHeader.kid !== 'KEY' || !payload.iat)
        throw new Error('wrong signer')
      if (!['5', '10'].includes(String(headers['apns-priority']))) throw new Error('wrong priority')
      if (body.length > 4_096) throw new Error('too large')
      const push = {
        path: String(headers[':path']),
        headers,
        body: JSON.parse(body.toString()),
        bytes: body.length,
      }
      reply(record.take(token, push))
    } catch (err) {
      record.faults.push(String(err))
      reply({ status: 400, body: { reason: 'BadRequest' } })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...record,
    variables: {
      ...{ APNS_KEY: pem, APNS_KEY_ID: 'KEY', APNS_TEAM_ID: 'TEAM', APNS_TOPIC: 'org.example.Default' },
      APNS_URL: `https://localhost:${port}`,
    },
    close: () => server.close(),
  }
}
