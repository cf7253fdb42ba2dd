import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openMailTransport } from './mail-transport.ts'

const MAIL = { from: 'a@example.com', to: 'b@example.com', subject: 'Hello', text: 'Hello' }
const DEADLINES = { connectionTimeout: 200, greetingTimeout: 200, socketTimeout: 200 }

let server: Server
const sockets = new Set<Socket>()
/** The URL of a mail server that treats each connection as the test says. */
async function serverThat(serve: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  server.close()
})

test.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => {}],
  ['says nothing after its greeting', (socket) => socket.write('220 here\r\n')],
])(
  'times out if a mail server %s',
  async (_, serve) => {
    const transport = openMailTransport(await serverThat(serve), {}, DEADLINES)
    await expect(transport.send(MAIL)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    transport.close()
  },
  10_000,
)

test('uses the timeouts of the URL', async () => {
  const url = await serverThat((socket) => {
    setTimeout(() => socket.end('554 no\r\n'), 600)
  })
  const patient = `${url}?connectionTimeout=5000&greetingTimeout=5000&socketTimeout=5000`
  const transport = openMailTransport(patient, {}, DEADLINES)
  await expect(transport.send(MAIL)).rejects.toMatchObject({ responseCode: 554 })
  transport.close()
}, 10_000)
