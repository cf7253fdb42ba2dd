import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { takeConnection } from './take-connection.ts'

let server: Server
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  await once(server, 'close')
})

/** A server that hands over each request, a turn of the event loop after it came. */
async function start(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  server = createServer((request, response) => void setImmediate(() => handle(request, response)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function open(text: string): { socket: Socket; text: Promise<string>; received: () => string } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.write(text)
  return { socket, text: once(socket, 'close').then(() => received), received: () => received }
}

const GET = 'GET / HTTP/1.1\r\nhost: h\r\n\r\n'

test('its writer answers, and the response is over at once', async () => {
  let closed = 0
  await start((_request, response) => {
    response.on('close', () => closed++)
    const socket = takeConnection(response)
    setImmediate(() => socket?.end(`taken ${closed}`))
  })

  expect(await open(GET).text).toBe('taken 1')
})

test('nothing of the HTTP server is left on it', async () => {
  let left: unknown
  await start((_request, response) => {
    const socket = takeConnection(response)
    const names = (socket?.eventNames() ?? []).flatMap((event) => socket?.listeners(event) ?? [])
    left = [(socket as Socket & { parser: unknown }).parser, names.map(({ name }) => name).sort()]
    socket?.end()
  })

  await open(GET).text
  expect(left).toEqual([
    null,
    ['destroy', 'endAfterWrites', 'ignore', 'limitReceived', 'onReadableStreamEnd'],
  ])
})

test('one over TLS is taken as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tms-certificate-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string]
  const subject = [
    '-subj',
    '/CN=localhost',
    '-days',
    '2',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ]
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const names: string[] = []
  server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
    setImmediate(() => {
      const socket = takeConnection(response)
      names.push(...(socket?.listeners('close') ?? []).map(({ name }) => name))
      socket?.write('taken', () => socket.destroySoon())
    })
  })
  rmSync(folder, { recursive: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connectTls({ port: (server.address() as AddressInfo).port, rejectUnauthorized: false })
  sockets.push(client)
  let received = ''
  client.on('data', (chunk) => {
    received += chunk.toString()
  })
  client.write(GET)
  await once(client, 'close')

  expect(received).toBe('taken')
  // The connection below still ends with it.
  expect(names).toContain('onSocketCloseDestroySSL')
})

test('what its client sends afterwards is dropped', async () => {
  let requests = 0
  let taken: Socket | null = null
  await start((_request, response) => {
    requests++
    taken = takeConnection(response)
    taken?.write('taken')
  })
  const client = open(GET)
  await once(client.socket, 'data')

  client.socket.write(GET.repeat(100))
  client.socket.write('x'.repeat(10_000), () => client.socket.end())

  expect(await client.text).toBe('taken')
  expect(requests).toBe(1)
})

test('a client that ends its side gets all that was written before', async () => {
  const text = 'x'.repeat(8_000_000)
  await start((_request, response) => {
    takeConnection(response)?.write(text)
  })
  const client = open(GET)
  client.socket.pause()
  await once(client.socket, 'connect')

  client.socket.end()
  await once(client.socket, 'finish')
  client.socket.resume()

  expect((await client.text).length).toBe(text.length)
})

test('a client that goes on sending is cut off', async () => {
  let cutOff = 0
  const read = new Promise<number>((resolve) => {
    void start((_request, response) => {
      const socket = takeConnection(response, () => cutOff++)
      socket?.on('close', () => resolve(socket.bytesRead)).write('taken')
    }).then(() => {
      const client = open(GET)
      client.text.catch(() => {})
      client.socket.once('data', () => client.socket.write('x'.repeat(10_000_000)))
    })
  })

  expect(await read).toBeLessThan(200_000)
  expect(cutOff).toBe(1)
})

test('one without all listeners of the server is left to it', async () => {
  await start((_request, response) => {
    const { socket } = response
    socket?.off('drain', socket.listeners('drain')[0] as () => void)
    response.end(String(takeConnection(response)))
  })

  expect(await open('GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n').text).toMatch(/\r\n\r\nnull$/)
})

test('it is ended when nothing moves for as long as the server allows', async () => {
  await start((_request, response) => void takeConnection(response)?.write('taken'))
  server.timeout = 200

  expect(await open(GET).text).toBe('taken')
})

test('it closes when its client leaves', async () => {
  const closed = new Promise<void>((resolve) => {
    void start((_request, response) => {
      const socket = takeConnection(response)
      socket?.on('close', () => resolve()).write('taken')
    }).then(() => {
      const client = open(GET)
      client.socket.once('data', () => client.socket.resetAndDestroy())
    })
  })

  await closed
})

test('a server that closes waits for it', async () => {
  let taken: Socket | null = null
  await start((_request, response) => {
    taken = takeConnection(response)
    taken?.write('taken')
  })
  const client = open(GET)
  await once(client.socket, 'data')
  let isClosed = false
  const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
    isClosed = true
  })
  server.closeIdleConnections()
  await new Promise((resolve) => setImmediate(resolve))
  expect(isClosed).toBe(false)

  ;(taken as Socket | null)?.end()
  await closed
  server = createServer().listen(0)
})

test('an answer whose turn has not come, or that has begun, keeps its connection', async () => {
  const responses: ServerResponse[] = []
  await start((_request, response) => {
    responses.push(response)
    if (responses.length < 2) return
    const [first, second] = responses as [ServerResponse, ServerResponse]
    const isSecondTaken = takeConnection(second) !== null
    first.writeHead(200, { 'content-length': 1 })
    const isFirstTaken = takeConnection(first) !== null
    first.end('1')
    second.end(JSON.stringify({ isFirstTaken, isSecondTaken }))
  })
  const client = open(GET + GET)
  while (!client.received().includes('}')) await once(client.socket, 'data')

  expect(client.received()).toContain('{"isFirstTaken":false,"isSecondTaken":false}')
})

test('a request that has not come in full keeps its connection', async () => {
  let isTaken: boolean | null = null
  await start((_request, response) => {
    isTaken = takeConnection(response) !== null
    response.end()
  })
  const client = open('POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\nconnection: close\r\n\r\nab')
  await client.text
  expect(isTaken).toBe(false)
})
