import type { Broker } from '@tms/service-kit'
import { Away, Refusal } from '../failures.ts'

/** How AMQP says that there is no such queue. */
const NOT_FOUND = 404
/** The first entry takes a broker longer than those after it; too small takes a busy broker for one that is away. */
const FIRST_MS = 5_000
/** Entries that were written together come together: after a pause, or at the latest after a second, those have come. */
const PAUSE_MS = 200
const TOGETHER_MS = 1_000
/** How many come before they are acknowledged. */
const PREFETCH = 1_000

/**
 * Offset of the newest entry of a stream; -1 if it has none. Writes nothing, and so can't tell what is written just now
 * from what comes a moment later. Throws when there is no such stream, and when the broker doesn't hand it out.
 */
export async function findLogEnd(broker: Broker, queue: string): Promise<number> {
  const isEmpty = (await countEntries(broker, queue)) === 0
  const channel = await broker.channel()
  await channel.prefetch(PREFETCH)
  try {
    return await new Promise<number>((resolve, reject) => {
      let end = -1
      const finish = (): void => {
        if (end >= 0 || isEmpty) resolve(end)
        else reject(new Away(`RabbitMQ does not hand out the newest entry of ${queue}`))
      }
      let [pause, deadline] = [setTimeout(finish, FIRST_MS), setTimeout(finish, FIRST_MS)]
      channel.once('close', () => reject(new Away('RabbitMQ went away')))
      const take = (offset: number): void => {
        clearTimeout(pause)
        pause = setTimeout(finish, PAUSE_MS)
        if (end === -1) {
          clearTimeout(deadline)
          deadline = setTimeout(finish, TOGETHER_MS)
        }
        end = Math.max(end, offset)
      }
      const consuming = channel.consume(
        queue,
        (message) => {
          if (!message) return reject(new Away(`${queue} was deleted`))
          take(Number(message.properties.headers?.['x-stream-offset']))
          channel.ack(message)
        },
        { noAck: false, arguments: { 'x-stream-offset': 'last' } },
      )
      consuming.catch(reject)
    })
  } finally {
    // Not waited for: a broker that has become silent may never answer.
    channel.close().catch(() => {})
  }
}

/** About how many a stream had some seconds ago. Throws where there is none, of which nothing would ever come. */
async function countEntries(broker: Broker, queue: string): Promise<number> {
  const channel = await broker.channel()
  const { messageCount } = await channel.checkQueue(queue).catch((err: unknown) => {
    if ((err as { code?: unknown }).code !== NOT_FOUND) throw err
    throw new Refusal(`RabbitMQ has no stream ${queue}: is NAMESPACE that of this installation?`, {
      cause: err,
    })
  })
  channel.close().catch(() => {})
  return messageCount
}
