import { closeQuietly } from './close-quietly.ts'
import type { Broker, ConfirmChannel } from './connection.ts'

/** Confirms take a millisecond; one that takes this long will not come. */
const CONFIRM_TIMEOUT_MS = 10_000
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
   * of them, may be missing: publish again from the first.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  close(): Promise<void>
}

/** A publisher with one channel, opened on first use and again after a failure. */
export function createPublisher(broker: Broker, exchange: string): Publisher {
  let channel: ConfirmChannel | null = null

  const open = async (): Promise<ConfirmChannel> => {
    if (channel) return channel
    const opened = await broker.confirmChannel()
    // One listener for each publish under way, of which there may be many.
    opened.setMaxListeners(0)
    opened.once('close', () => {
      if (channel === opened) channel = null
    })
    channel = opened
    return opened
  }

  return {
    publish: async (messages) => {
      const target = await open()
      try {
        await new Promise<void>((resolve, reject) => {
          let waiting = messages.length
          const timer = setTimeout(
            () => reject(new Error('the broker did not confirm in time')),
            CONFIRM_TIMEOUT_MS,
          )
          const fail = (err: unknown) => {
            clearTimeout(timer)
            reject(err instanceof Error ? err : new Error('the broker refused a message'))
          }
          target.once('close', fail)
          const failReturned = () => fail(new Error(NOT_TAKEN))
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
              clearTimeout(timer)
              target.removeListener('close', fail)
              target.removeListener('return', failReturned)
              resolve()
            })
          }
        })
      } catch (err) {
        // Whatever of this batch is still under way must not mix with the next attempt.
        if (channel === target) channel = null
        await closeQuietly(target)
        if (err instanceof Error && err.message === NOT_TAKEN) await broker.declare().catch(() => {})
        throw err
      }
    },
    close: async () => {
      if (channel) await closeQuietly(channel)
    },
  }
}
