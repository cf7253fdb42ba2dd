import { type Broker, createLogReader, type StreamAccess } from '@tms/service-kit'
import { CommandError, messageOf, UnavailableError } from '../failures.ts'

/** How AMQP says that there is no such queue. */
const NOT_FOUND = 404
/** Long enough to leave two nodes of a cluster that don't let it be read for the third. */
const FIRST_MS = 20_000
/** The first entry takes a broker longer than those after it; too small takes a log for empty that isn't. */
const EMPTY_MS = 5_000
/** Entries that were written together come together: after a pause, or at the latest after a second, those have come. */
const PAUSE_MS = 200
const TOGETHER_MS = 1_000

/**
 * Offset of the newest entry of a stream; -1 if it has none. Writes nothing, and so can't tell what is written just now
 * from what comes a moment later. Throws when there is no such stream, and when no node hands it out.
 */
export async function findLogEnd(access: StreamAccess): Promise<number> {
  const { broker, queue } = access
  try {
    const isEmpty = (await countEntries(broker, queue)) === 0
    return await readNewest(access, isEmpty)
  } catch (err) {
    if (err instanceof CommandError) throw err
    const why = err === undefined ? '' : `: ${messageOf(err)}`
    throw new UnavailableError(`RabbitMQ does not hand out the newest entry of ${queue}${why}`, {
      cause: err,
    })
  }
}

/** Rejects with the reason, where one is known. */
function readNewest({ broker, queue, log }: StreamAccess, isEmpty: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let end = -1
    const finish = (settle: () => void): void => {
      clearTimeout(pause)
      clearTimeout(deadline)
      // Not waited for: a broker that has become silent may never answer.
      void reader.close()
      settle()
    }
    const found = () => finish(() => resolve(end))
    const failed = (reason: unknown) => finish(() => reject(reason))
    let pause: NodeJS.Timeout | undefined
    let deadline = setTimeout(() => {
      // Why it is refused, or why there is no connection.
      const asked = reader.check().then(() => broker.check())
      asked.then(() => failed(undefined), failed)
    }, FIRST_MS)
    const reader = createLogReader({
      broker,
      queue,
      log,
      onEntry: ({ offset }) => {
        clearTimeout(pause)
        pause = setTimeout(found, PAUSE_MS)
        if (end === -1) {
          clearTimeout(deadline)
          deadline = setTimeout(found, TOGETHER_MS)
        }
        end = offset
      },
      onAttached: () => {
        if (isEmpty) pause ??= setTimeout(found, EMPTY_MS)
      },
      onDeleted: () => failed(new Error('it was deleted')),
    })
    reader.seek('last')
  })
}

/** About how many a stream had some seconds ago. Throws where there is none, of which nothing would ever come. */
async function countEntries(broker: Broker, queue: string): Promise<number> {
  const channel = await broker.channel()
  const { messageCount } = await channel.checkQueue(queue).catch((err: unknown) => {
    if ((err as { code?: unknown }).code !== NOT_FOUND) throw err
    throw new CommandError(`RabbitMQ has no stream ${queue}: is NAMESPACE that of this installation?`, {
      cause: err,
    })
  })
  channel.close().catch(() => {})
  return messageCount
}
