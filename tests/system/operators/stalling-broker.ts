import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The request of every client that wants to read a stream. */
const READS = 'x-stream-offset'

/** A proxy before a broker that becomes unresponsive at the nth request for a stream's entries. */
export async function startStallingBroker(
  url: string,
  nth: number,
): Promise<{ url: string; stalled: Promise<void>; close: () => Promise<unknown> }> {
  const [firstNode = ''] = url.split(',')
  const behind = new URL(firstNode)
  const to = { host: behind.hostname, port: Number(behind.port) }
  let tell = (): void => {}
  const stalled = new Promise<void>((resolve) => {
    tell = resolve
  })
  const sockets: Socket[] = []
  let asked = 0
  const listener = createServer((client) => {
    const server = connect(to)
    sockets.push(client, server)
    for (const socket of [client, server]) socket.on('error', () => {})
    server.pipe(client)
    client.on('data', (bytes) => {
      asked += bytes.toString('latin1').split(READS).length - 1
      if (asked < nth) server.write(bytes)
      else tell()
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  behind.port = String((listener.address() as AddressInfo).port)
  return {
    url: behind.toString(),
    stalled,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await once(listener.close(), 'close')
    },
  }
}
