import { within } from '../within.ts'
import { closeQuietly } from './close-quietly.ts'
import type { Broker, ConfirmChannel } from './connection.ts'

/** Opening a channel and confirms take milliseconds; what takes this long will not come. */
const OPEN_TIMEOUT_MS = 5_000
const CONFIRM_TIMEOUT_MS = 10_000
const NOT_OPENED = 'the broker did not open a channel in time'
const NOT_CONFIRMED = 'the broker did not confirm in time'
const NOT_TAKEN = 'the broker has no stream that takes it'

/** A message to be published. */
export interface OutgoingMessage {
  readonly routingKey: string
  readonly body: string
  /** The trace that whoever reads it goes on with (W3C Trace Context), if it is part of one. */
  readonly traceparent?: string | null
  /** The place in its stream up to which the broker has confirmed everything. */
  readonly confirmed?: number
}

/** Publishes to one exchange and waits for the broker's confirms. */
export interface Publisher {
  /**
   * Publishes in order and resolves when the broker has confirmed all. On rejection any suffix, or any one
   * of them, may be missing: publish again from the first. Rejects within fifteen seconds, whatever the broker does.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  close(): Promise<void>
}

/** A publisher with one channel, opened on first use and again after a failure. */
export function createPublisher(broker: Broker, exchange: string): Publisher {
  /** Shared by all who wait for it: a broker that lacks memory or disk reads nothing, and opens none, until it has some again. */
  let channel: Promise<ConfirmChannel> | null = null

  const open = (): Promise<ConfirmChannel> => {
    if (channel) return channel
    const opening = broker.confirmChannel().then((opened) => {
      // One listener for each publish under way, of which there may be many.
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
      // What has waited in vain is not published later: it goes out only while somebody waits for it. All have the same time for
      // confirms, however long they waited before: who runs out of it ends the channel for the others.
      const target = await within(OPEN_TIMEOUT_MS, NOT_OPENED, opening)
      try {
        await within(CONFIRM_TIMEOUT_MS, NOT_CONFIRMED, send(target, exchange, messages))
      } catch (err) {
        // Whatever of this batch is still under way must not mix with the next attempt.
        forget(opening)
        // Not waited for: a broker that confirms nothing may not answer this either.
        void closeQuietly(target)
        if (err instanceof Error && err.message === NOT_TAKEN) await broker.declare().catch(() => {})
        throw err
      }
    },
    close: async () => {
      // Nor here: nothing is under way any more, and the connection's end ends it.
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
    const failReturned = () => fail(new Error(NOT_TAKEN))
    target.once('close', fail)
    target.once('return', failReturned)
    for (const { routingKey, body, traceparent, confirmed } of messages) {
      const headers = {
        ...(traceparent ? { traceparent } : {}),
        ...(confirmed === undefined ? {} : { confirmed }),
      }
      // What no stream takes would be confirmed as well, and be lost.
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
