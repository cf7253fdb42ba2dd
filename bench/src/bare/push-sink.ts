import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A push service that accepts everything at once, and counts it. */
export interface PushSink {
  /** The address of a subscription. */
  endpointOf(name: string): string
  readonly count: number
  close(): void
}

export async function startPushSink(): Promise<PushSink> {
  let count = 0
  const server = createServer((incoming, response) => {
    incoming.resume().once('end', () => {
      count++
      response.writeHead(201).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpointOf: (name) => `http://127.0.0.1:${port}/${name}`,
    get count() {
      return count
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
