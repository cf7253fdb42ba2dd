import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib'
import { splitUrls } from '../addresses/split-urls.ts'
import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'
import type { ClientTls } from '../tls/settings.ts'
import { closeQuietly } from './close-quietly.ts'
import { joinWrites } from './join-writes.ts'

export type { Channel, ConfirmChannel }

/** Too small hammers a broker that is starting, too large delays events after it is back. */
const RECONNECT_MS = 250
/** A broker that starts together with the services, as with `npm start`, takes seconds; until then nothing is wrong. */
const STARTING_MS = 10_000
/** Longer than streams take to come up; a broker that hasn't answered the declarations by then may never answer. */
const PREPARE_MS = 30_000
/**
 * The client library ends a connection that received nothing for two of these, after two to three: 12 to 18 s. Too
 * large is worse: a lost host stops all events until then. Too small drops a broker that pauses; RabbitMQ advises
 * against less than 5 s.
 */
const HEARTBEAT_SECONDS = 6
/** Time without a byte while a connection is being made. */
const CONNECT_MS = 5_000

/** The process's only connection to RabbitMQ. It is made again whenever it is lost, in a cluster to another node. */
export interface Broker {
  /** A channel on the current connection; rejects while there is none. */
  channel(): Promise<Channel>
  /** A channel whose publishes are confirmed; rejects while there is no connection. */
  confirmChannel(): Promise<ConfirmChannel>
  /** Calls `listener` now if connected, and after every new connection, until the returned function is called. */
  onConnected(listener: () => void): () => void
  /** Declares the topology again, in case somebody deleted a part of it. Rejects while there is no connection. */
  declare(): Promise<void>
  /** Drops the current connection and connects to the next node, because this one can't serve the caller. */
  reconnect(): void
  /** Rejects while there is no connection; the error's `cause` is the reason. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * Connects in the background and reconnects until closed, so a service starts, and its writes succeed, while the
 * broker is unavailable. If there are several URLs (nodes of a cluster), it begins with a random one, so that
 * processes spread over the nodes. `prepare` declares the topology on each new connection before anyone uses it.
 */
export function connectBroker(
  urls: string,
  log: Logger,
  prepare: (channel: Channel) => Promise<void>,
  tls: ClientTls = {},
): Broker {
  const nodes = splitUrls(urls).map(withHeartbeat)
  let next = Math.floor(Math.random() * nodes.length)
  let failuresInRow = 0
  let connection: ChannelModel | null = null
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let isFailing = false
  /** From when on failures are logged as warnings; immediately after the first connection. */
  let warnFrom = Date.now() + STARTING_MS
  /** Why there is no connection, if that is known. */
  let disconnectReason: unknown
  const listeners = new Set<() => void>()

  const declareOn = (model: ChannelModel) =>
    within(PREPARE_MS, 'RabbitMQ did not answer in time', prepareOn(model, prepare))
  const open = async () => {
    let opened: ChannelModel | null = null
    let endReason: unknown
    try {
      // Without noDelay a confirm waits for Nagle's algorithm: 44 ms instead of 1.
      opened = await connect(nodes[next] ?? '', { ...tls, noDelay: true, timeout: CONNECT_MS })
      let isLost = false
      opened.on('error', () => {})
      opened.on('close', (err?: Error) => {
        isLost = true
        endReason = err
        lost(opened, err)
      })
      joinWrites(opened)
      await declareOn(opened)
      if (isLost) throw new Error('RabbitMQ went away')
      if (isClosed) return void closeQuietly(opened)
      connection = opened
      if (isFailing) log.info('broker connected again')
      isFailing = false
      failuresInRow = 0
      warnFrom = 0
      disconnectReason = undefined
    } catch (err) {
      // If the connection ended, its reason says more than the error of the call that failed because of it.
      disconnectReason = endReason ?? err
      // One node of a cluster may be down without a warning; all of them may not.
      if (!isFailing && ++failuresInRow >= nodes.length && Date.now() >= warnFrom) {
        log.warn({ err: disconnectReason }, 'broker cannot be reached, will be retried')
        isFailing = true
      }
      // Right after a start the broker accepts connections while its streams are still coming up. Closing isn't
      // awaited: the broker may not answer that either.
      if (opened) void closeQuietly(opened)
      return retry()
    }
    for (const listener of listeners) listener()
  }
  const lost = (closed: ChannelModel | null, err: Error | undefined) => {
    if (isClosed || connection === null || connection !== closed) return
    log.warn({ err }, 'broker connection lost')
    disconnectReason = err
    isFailing = true
    connection = null
    retry()
  }
  const retry = () => {
    if (isClosed) return
    next = (next + 1) % nodes.length
    clearTimeout(timer)
    timer = setTimeout(open, RECONNECT_MS)
  }
  const currentConnection = (): ChannelModel => {
    if (!connection)
      throw new Error('Connection is closed: RabbitMQ cannot be reached', { cause: disconnectReason })
    return connection
  }
  void open()

  return {
    channel: async () => ignoreErrors(await currentConnection().createChannel()),
    confirmChannel: async () => ignoreErrors(await currentConnection().createConfirmChannel()),
    onConnected: (listener) => {
      listeners.add(listener)
      if (connection) listener()
      return () => {
        listeners.delete(listener)
      }
    },
    declare: async () => declareOn(currentConnection()),
    reconnect: () => {
      const abandoned = connection
      if (!abandoned) return
      connection = null
      retry()
      // Not awaited: a node that fails at one thing may not answer this either.
      void closeQuietly(abandoned)
    },
    check: async () => {
      currentConnection()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      if (connection) await closeQuietly(connection)
    },
  }
}

async function prepareOn(opened: ChannelModel, prepare: (channel: Channel) => Promise<void>): Promise<void> {
  const channel = ignoreErrors(await opened.createChannel())
  await prepare(channel)
  await closeQuietly(channel)
}

/** An error of a channel is always followed by `close`, which users of channels listen to. */
function ignoreErrors<C extends Channel>(channel: C): C {
  channel.on('error', () => {})
  return channel
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url)
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS))
  return parsed.toString()
}
