import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy between clients and a server that can become unresponsive or unavailable. */
export interface TcpProxy {
  readonly port: number
  /** Stops forwarding from the server on existing connections. Resolves when the client sends something next. */
  silence(): Promise<void>
  /** Delays everything from the server on existing connections until the returned function is called, which forwards it. */
  delay(): () => void
  /**
   * Stops reading from clients on existing connections, like a broker without memory or disk, until the returned function is
   * called.
   */
  stall(): () => void
  /**
   * Drops all bytes of the existing connections in both directions without closing them, as when the host of the server loses
   * its network or power. New connections are dropped likewise until the returned function is called; with `dropsNew: false`
   * they work at once, as after a standby was promoted under the same name.
   */
  blackHole(options?: { readonly dropsNew?: boolean }): () => void
  /** Directs new connections to this server, as after a failover under the same name. */
  redirect(to: ServerAddress): void
  /** Closes the existing connections, as when the server is killed. New ones work. */
  cut(): void
  close(): void
}

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** Reads and discards everything, so that neither side notices by full buffers. */
function drop({ client, server }: Pair): void {
  for (const socket of [client, server]) socket.unpipe().resume()
}

export async function startTcpProxy(to: ServerAddress): Promise<TcpProxy> {
  let target = to
  let dropsNew = false
  const pairs = new Set<Pair>()
  const listener = createServer((client) => {
    const server = connect(target)
    const pair = { client, server }
    pairs.add(pair)
    if (dropsNew) drop(pair)
    else {
      client.pipe(server)
      server.pipe(client)
    }
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
    delay: () => {
      const delayed = [...pairs]
      for (const { client, server } of delayed) server.unpipe(client)
      return () => {
        for (const { client, server } of delayed) server.pipe(client)
      }
    },
    stall: () => {
      const stalled = [...pairs]
      for (const { client, server } of stalled) client.unpipe(server)
      return () => {
        for (const { client, server } of stalled) client.pipe(server)
      }
    },
    blackHole: (options = {}) => {
      for (const pair of pairs) drop(pair)
      dropsNew = options.dropsNew ?? true
      return () => {
        dropsNew = false
      }
    },
    redirect: (address) => {
      target = address
    },
    cut,
    close: () => {
      cut()
      listener.close()
    },
  }
}
