import { type Broker, createLogReader, type StreamAccess } from '@tms/service-kit'
import { CommandError, getErrorMessage, UnavailableError } from '../kernel/errors.ts'

/** AMQP reply code of a queue that doesn't exist. */
const NOT_FOUND = 404
/** Long enough to reconnect twice, from two nodes of a cluster that refuse to read the stream to the third. */
const FIRST_ENTRY_MS = 20_000
/** The first entry takes a broker longer than later ones; a shorter wait would take a log with entries for an empty one. */
const EMPTY_LOG_MS = 5_000
/** The broker delivers the last chunk of entries at once: it is complete after a pause, or after a second at most. */
const PAUSE_MS = 200
const MAX_BATCH_MS = 1_000

/**
 * Offset of the newest entry of a stream; -1 if it has none. Entries that are written meanwhile may or may not count.
 * Throws if there is no such stream, or if no node delivers it.
 */
export async function findLogEnd(access: StreamAccess): Promise<number> {
  const { broker, queue } = access
  try {
    const isEmpty = (await countEntries(broker, queue)) === 0
    return await readNewest(access, isEmpty)
  } catch (err) {
    if (err instanceof CommandError) throw err
    const why = err === undefined ? '' : `: ${getErrorMessage(err)}`
    throw new UnavailableError(`RabbitMQ does not deliver the newest entry of ${queue}${why}`, {
      cause: err,
    })
  }
}

/** Rejects with the reason, or with undefined if none is known. */
function readNewest({ broker, queue, log }: StreamAccess, isEmpty: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let end = -1
    const finish = (settle: () => void): void => {
      clearTimeout(pause)
      clearTimeout(deadline)
      // Not awaited: an unresponsive broker may never answer.
      void reader.close()
      settle()
    }
    const succeed = () => finish(() => resolve(end))
    const fail = (reason: unknown) => finish(() => reject(reason))
    let pause: NodeJS.Timeout | undefined
    let deadline = setTimeout(() => {
      // Finds out why the read is refused, or why there is no connection.
      const checks = reader.check().then(() => broker.check())
      checks.then(() => fail(undefined), fail)
    }, FIRST_ENTRY_MS)
    const reader = createLogReader({
      broker,
      queue,
      log,
      onEntry: ({ offset }) => {
        clearTimeout(pause)
        pause = setTimeout(succeed, PAUSE_MS)
        if (end === -1) {
          clearTimeout(deadline)
          deadline = setTimeout(succeed, MAX_BATCH_MS)
        }
        end = offset
      },
      onAttached: () => {
        if (isEmpty) pause ??= setTimeout(succeed, EMPTY_LOG_MS)
      },
      onDeleted: () => fail(new Error('it was deleted')),
    })
    reader.seek('last')
  })
}

/** Approximate number of entries some seconds ago. Throws if the stream doesn't exist. */
async function countEntries(broker: Broker, queue: string): Promise<number> {
  const channel = await broker.channel()
  const { messageCount } = await channel.checkQueue(queue).catch((err: unknown) => {
    if ((err as { code?: unknown }).code !== NOT_FOUND) throw err
    throw new CommandError(
      `RabbitMQ has no stream ${queue}: NAMESPACE must be the one of this installation`,
      {
        cause: err,
      },
    )
  })
  channel.close().catch(() => {})
  return messageCount
}
