import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../http/server.ts'
import { createLog } from '../telemetry/log.ts'
import { createInternalTokenSource } from '../tokens/tokens.ts'
import { acceptFrames } from './accept-frames.ts'
import { FrameConnection } from './frame-connection.ts'
import { openFrames, UpgradeRefusedError } from './open-frames.ts'

const keys = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const link = { path: '/internal/link', protocol: 'test-1' }
const log = createLog('events', 'silent')
const tokenOf = (service: string) => createInternalTokenSource(service, keys.privateKey)()

let server: HttpServer | undefined
afterEach(() => server?.close())

/** A server that answers each frame with itself. */
async function serve({ isAccepting = (): boolean => true } = {}): Promise<number> {
  server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, log, metrics: new Registry(), probes: [], drainMs: 0 },
    api: () => false,
    upgrade: acceptFrames({
      ...link,
      ...{ from: 'gateway', internalPublicKey: keys.publicKey, isAccepting, log },
      onAccepted: (socket, head) => {
        const connection = new FrameConnection(socket, head, {
          silentMs: 10_000,
          onFrame: (texts) => connection.send(texts),
          onEnd: () => {},
        })
      },
    }),
  })
  return server.port
}

const open = (port: number, token: string, as: { path: string; protocol: string } = link) =>
  openFrames({ hostname: '127.0.0.1', port, host: `127.0.0.1:${port}`, isTls: false }, as, {
    ...{ token, tls: {}, connectTimeoutMs: 2_000, answerTimeoutMs: 2_000 },
  })

describe('a connection for frames', () => {
  test('is opened by an upgrade, and frames go both ways', async () => {
    const port = await serve()
    const { socket, head } = await open(port, tokenOf('gateway'))
    const answer = await new Promise((resolve) => {
      const connection = new FrameConnection(socket, head, {
        silentMs: 10_000,
        onFrame: (texts) => {
          resolve(texts)
          connection.end()
        },
        onEnd: () => {},
      })
      connection.send(['one', 'two'])
    })
    expect(answer).toEqual(['one', 'two'])
  })

  test.each<[string, string, string, number, (() => boolean)?]>([
    ['without a valid token', 'nonsense', link.protocol, 401],
    ['of another service', tokenOf('realm'), link.protocol, 403],
    ['with another protocol', tokenOf('gateway'), 'test-2', 404],
    ['at a server that is leaving', tokenOf('gateway'), link.protocol, 503, () => false],
  ])('is refused %s', async (_name, token, protocol, status, isAccepting = () => true) => {
    const port = await serve({ isAccepting })
    await expect(open(port, token, { ...link, protocol })).rejects.toEqual(new UpgradeRefusedError(status))
  })

  test('leaves nothing behind when it is refused, whatever its client sends or keeps open', async () => {
    const port = await serve()
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    await once(client, 'connect')
    client.write(
      `GET ${link.path} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: ${link.protocol}\r\n\r\n`,
    )
    const [answer] = (await once(client, 'data')) as [Buffer]
    client.write('further bytes')

    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /)
    // Waits for all connections of the server.
    await server?.close()
    client.destroy()
  })

  test('is not for other paths, whose requests may have that header', async () => {
    const port = await serve()
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`).then(({ status }) => status)
    const client = connect(port, '127.0.0.1')
    await once(client, 'connect')
    client.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n')
    const [upgraded] = (await once(client, 'data')) as [Buffer]
    client.destroy()
    expect([answer, upgraded.toString().slice(0, 15)]).toEqual([200, 'HTTP/1.1 200 OK'])
  })
})
