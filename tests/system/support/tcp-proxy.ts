import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, which go silent or away when the test says so. */
export interface TcpProxy {
  readonly port: number
  /**
   * Nothing that the server says comes through any more, on connections that there are. Resolves when the client says
   * something next.
   */
  silence(): Promise<void>
  /**
   * Nothing that clients say is read any more, on connections that there are, as by a broker that lacks memory or disk; until
   * the function that it returns is called.
   */
  stall(): () => void
  /** Ends the connections that there are, as when the server is killed. New ones work. */
  cut(): void
  close(): void
}

export async function startTcpProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>()
  const listener = createServer((client) => {
    const server = connect(to)
    const pair = { client, server }
    pairs.add(pair)
    client.pipe(server)
    server.pipe(client)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    for (const { client } of pairs) client.destroy()
  }
  return {
    port: (listener.address() as AddressInfo).port,
    silence: async () => {
      await Promise.any(
        [...pairs].map(async ({ client, server }) => {
          server.unpipe(client)
          await once(client, 'data')
        }),
      )
    },
    stall: () => {
      const stalled = [...pairs]
      for (const { client, server } of stalled) client.unpipe(server)
      return () => {
        for (const { client, server } of stalled) client.pipe(server)
      }
    },
    cut,
    close: () => {
      cut()
      listener.close()
    },
  }
}
