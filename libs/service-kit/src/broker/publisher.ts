import { within } from '../concurrency/within.ts'
import { closeQuietly } from './close-quietly.ts'
import type { Broker, ConfirmChannel } from './connection.ts'

/** Opening a channel and confirms take milliseconds; what takes this long will not come. */
const OPEN_TIMEOUT_MS = 5_000
const CONFIRM_TIMEOUT_MS = 10_000
const NOT_OPENED = 'the broker did not open a channel in time'
const NOT_CONFIRMED = 'the broker did not confirm in time'
const NOT_ROUTED = 'the broker has no stream that takes it'

/** A message to be published. */
export interface OutgoingMessage {
  readonly routingKey: string
  /** What spans call it; without one the routing key. */
  readonly name?: string
  readonly body: string
  /** Trace context for consumers (W3C), if the message is part of a trace. */
  readonly traceparent?: string | null
  /** Sequence number of its stream up to which the broker has confirmed everything. */
  readonly confirmed?: number
}

/** Publishes to one exchange and waits for the broker's confirms. */
export interface Publisher {
  /**
   * Publishes in order and resolves when the broker has confirmed all. On rejection any suffix, or any one of them,
   * may be missing: publish again from the first. Rejects within fifteen seconds, whatever the broker does.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  close(): Promise<void>
}

/** A publisher with one channel, opened on first use and again after a failure. */
export function createPublisher(broker: Broker, exchange: string): Publisher {
  /** Shared by all callers: a broker that lacks memory or disk opens no channel until it has some again. */
  let channel: Promise<ConfirmChannel> | null = null

  const open = (): Promise<ConfirmChannel> => {
    if (channel) return channel
    const opening = broker.confirmChannel().then((opened) => {
      // Each publish under way adds one listener, and there may be many.
      opened.setMaxListeners(0)
      opened.once('close', () => forget(opening))
      return opened
    })
    opening.catch(() => forget(opening))
    channel = opening
    return opening
  }
  const forget = (lost: Promise<ConfirmChannel>) => {
    if (channel === lost) channel = null
  }

  return {
    publish: async (messages) => {
      const opening = open()
      // A publish that timed out here is not sent later: it goes out only while its caller waits. The time for
      // confirms is the same for all, however long they waited before, since a timeout closes the channel for the
      // others too.
      const target = await within(OPEN_TIMEOUT_MS, NOT_OPENED, opening)
      try {
        await within(CONFIRM_TIMEOUT_MS, NOT_CONFIRMED, send(target, exchange, messages))
      } catch (err) {
        // Messages of this batch that are still under way must not mix with the next attempt.
        forget(opening)
        // Not awaited: a broker that confirms nothing may not answer this either.
        void closeQuietly(target)
        if (err instanceof Error && err.message === NOT_ROUTED) await broker.declare().catch(() => {})
        throw err
      }
    },
    close: async () => {
      // Not awaited: nothing is under way any more, and the end of the connection closes it.
      channel?.then(closeQuietly, () => {})
    },
  }
}

/** Resolves when the broker has confirmed all. */
function send(target: ConfirmChannel, exchange: string, messages: readonly OutgoingMessage[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let waiting = messages.length
    const fail = (err: unknown) =>
      reject(err instanceof Error ? err : new Error('the broker refused a message'))
    const failReturned = () => fail(new Error(NOT_ROUTED))
    target.once('close', fail)
    target.once('return', failReturned)
    for (const { routingKey, body, traceparent, confirmed } of messages) {
      const headers = {
        ...(traceparent ? { traceparent } : {}),
        ...(confirmed === undefined ? {} : { confirmed }),
      }
      // Without `mandatory`, a message that no stream takes would be confirmed and lost.
      const options = { persistent: true, mandatory: true, headers }
      target.publish(exchange, routingKey, Buffer.from(body), options, (err) => {
        if (err) return fail(err)
        if (--waiting > 0) return
        target.removeListener('close', fail)
        target.removeListener('return', failReturned)
        resolve()
      })
    }
  })
}
