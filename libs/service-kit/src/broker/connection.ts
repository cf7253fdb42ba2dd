import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib'
import type { Logger } from '../log.ts'
import { splitUrls } from '../server-urls.ts'
import type { ClientTls } from '../tls/settings.ts'
import { within } from '../within.ts'
import { closeQuietly } from './close-quietly.ts'

export type { Channel, ConfirmChannel }

/** Too small hammers a broker that is starting, too large delays events after it is back. */
const RECONNECT_MS = 250
/** A broker that is started with the services, as by `npm start`, takes seconds; until then nothing is wrong. */
const STARTING_MS = 10_000
/** Longer than streams take that come up; a broker that has not declared the topology by then may never answer. */
const PREPARE_MS = 30_000
/**
 * The client library ends a connection on which nothing came for two of these, after two to three: 12 to 18 s, whatever waits for
 * an answer on it, or only listens. Too large is worse: a host that is gone without a word stops all events until then. Too small
 * gives up a broker that pauses, and below 5 s RabbitMQ advises against it.
 */
const HEARTBEAT_SECONDS = 6
/** Without a byte while a connection is made. */
const CONNECT_MS = 5_000

/** The one connection of a process to RabbitMQ, made anew whenever it is lost: of a cluster to another node. */
export interface Broker {
  /** A channel on the present connection; rejects while there is none. */
  channel(): Promise<Channel>
  /** A channel whose publishes are confirmed; rejects while there is no connection. */
  confirmChannel(): Promise<ConfirmChannel>
  /** Calls `listener` at once if connected, and after every connection made, until the function that it returns is called. */
  onConnected(listener: () => void): () => void
  /** Declares the topology once more, for when somebody has deleted a part of it. Rejects while there is no connection. */
  declare(): Promise<void>
  /** Gives up the present connection, if there is one, for the next node: this one can't do what somebody needs. */
  reconnect(): void
  /** Rejects while there is no connection; the error's `cause` is why there is none. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * Connects in the background and keeps doing so until closed: a service starts, and its writes succeed,
 * while the broker is away. Of several URLs, those of a cluster's nodes, it takes any, so that processes spread over
 * them. `prepare` declares the topology on each new connection before anyone uses it.
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
  /** When failures are worth a warning; at once after the first connection. */
  let warnFrom = Date.now() + STARTING_MS
  /** Why there is no connection, as far as it is known. */
  let reason: unknown
  const listeners = new Set<() => void>()

  const declareOn = (model: ChannelModel) =>
    within(PREPARE_MS, 'RabbitMQ did not answer in time', prepareOn(model, prepare))
  const open = async () => {
    let opened: ChannelModel | null = null
    let end: unknown
    try {
      // Without noDelay a confirm waits for Nagle's algorithm: 44 ms instead of 1.
      opened = await connect(nodes[next] ?? '', { ...tls, noDelay: true, timeout: CONNECT_MS })
      let isGone = false
      opened.on('error', () => {})
      opened.on('close', (err?: Error) => {
        isGone = true
        end = err
        lost(opened, err)
      })
      await declareOn(opened)
      if (isGone) throw new Error('RabbitMQ went away')
      if (isClosed) return void closeQuietly(opened)
      connection = opened
      if (isFailing) log.info('broker connected again')
      isFailing = false
      failuresInRow = 0
      warnFrom = 0
      reason = undefined
    } catch (err) {
      // Of what fails because the connection ends, why it ends says more.
      reason = end ?? err
      // One node of several may be away without anyone noticing; all of them may not.
      if (!isFailing && ++failuresInRow >= nodes.length && Date.now() >= warnFrom) {
        log.warn({ err: reason }, 'broker cannot be reached, will be retried')
        isFailing = true
      }
      // Right after a start the broker accepts connections while its streams are still coming up. Not waited for: it may
      // not answer this either.
      if (opened) void closeQuietly(opened)
      return retry()
    }
    for (const listener of listeners) listener()
  }
  const lost = (closed: ChannelModel | null, err: Error | undefined) => {
    if (isClosed || connection === null || connection !== closed) return
    log.warn({ err }, 'broker connection lost')
    reason = err
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
  const present = (): ChannelModel => {
    if (!connection) throw new Error('Connection is closed: RabbitMQ cannot be reached', { cause: reason })
    return connection
  }
  void open()

  return {
    channel: async () => quiet(await present().createChannel()),
    confirmChannel: async () => quiet(await present().createConfirmChannel()),
    onConnected: (listener) => {
      listeners.add(listener)
      if (connection) listener()
      return () => {
        listeners.delete(listener)
      }
    },
    declare: async () => declareOn(present()),
    reconnect: () => {
      const given = connection
      if (!given) return
      connection = null
      retry()
      // Not waited for: a node that fails at one thing may not answer this either.
      void closeQuietly(given)
    },
    check: async () => {
      present()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      if (connection) await closeQuietly(connection)
    },
  }
}

async function prepareOn(opened: ChannelModel, prepare: (channel: Channel) => Promise<void>): Promise<void> {
  const channel = quiet(await opened.createChannel())
  await prepare(channel)
  await closeQuietly(channel)
}

/** A channel's error is followed by its close, which is what users of channels listen to. */
function quiet<C extends Channel>(channel: C): C {
  channel.on('error', () => {})
  return channel
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url)
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS))
  return parsed.toString()
}
