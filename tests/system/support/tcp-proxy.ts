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
   * Nothing that the server says comes through, on connections that there are, until the function that it returns is called:
   * then all of it does, late.
   */
  hold(): () => void
  /**
   * Nothing that clients say is read any more, on connections that there are, as by a broker that lacks memory or disk; until
   * the function that it returns is called.
   */
  stall(): () => void
  /**
   * Drops all bytes of the present connections, in both directions, and closes none of them, as when the host of the server
   * loses its network or power. New connections are dropped likewise, until the returned function is called; with
   * `dropsNew: false` they work at once, as after a standby was promoted under the same name.
   */
  blackHole(options?: { readonly dropsNew?: boolean }): () => void
  /** New connections go to this server, as after a failover under the same name. */
  redirect(to: ServerAddress): void
  /** Ends the connections that there are, as when the server is killed. New ones work. */
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

/** Reads what comes and forgets it, so that neither side notices by its own buffers. */
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
    hold: () => {
      const held = [...pairs]
      for (const { client, server } of held) server.unpipe(client)
      return () => {
        for (const { client, server } of held) server.pipe(client)
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
