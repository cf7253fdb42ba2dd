import type { LogEntry } from '@tms/contracts'
import type { LogRecord } from '../log/entry.ts'
import type { LogFeed } from '../log/log-feed.ts'
import { positionOf } from '../partitions/event-id.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Cache, Presentation, RenderedQueue } from '../rendering/presentation.ts'
import { presentationOf } from '../rendering/presentations.ts'
import { coalesce, type Unwritten } from './coalesce.ts'
import type { Told } from './told.ts'

/** Client events of a queue, ready to send. */
export interface RenderedEvents {
  /** JSON texts, one per event. */
  readonly texts: readonly string[]
  /** IDs of the requests that caused them. */
  readonly requestIds: readonly string[]
}

export interface EventReader {
  /**
   * Renders events for a queue's client, joining those that can be one and weren't told yet. Entries come from memory
   * where this replica has read them, else from the partition's payloads. Throws when one is in neither, which means
   * that the queue was closed.
   */
  render(
    partition: number,
    queue: RenderedQueue,
    eventIds: readonly number[],
    told: Told,
  ): Promise<RenderedEvents>
}

/** An event of the log as one of a queue. */
interface Found extends Unwritten {
  readonly index: number
  readonly presentation: Presentation
  readonly cache: Cache
}

export function createEventReader(feed: LogFeed, store: PartitionStore): EventReader {
  const load = async (partition: number, offset: number): Promise<Pick<LogRecord, 'entry' | 'cache'>> => {
    const text = await store.payload(partition, offset)
    if (text === null) throw new Error(`no payload at offset ${offset}`)
    return { entry: JSON.parse(text) as LogEntry, cache: new Map() }
  }

  return {
    render: async (partition, queue, eventIds, told) => {
      const found: Found[] = []
      const requestIds: string[] = []
      for (const eventId of eventIds) {
        const { offset, index } = positionOf(eventId)
        const known = feed.recent.get(offset)
        const { entry, cache } = known?.entry ? known : await load(partition, offset)
        if (!entry) continue
        const presentation = presentationOf(entry)
        found.push({ eventId, index, payload: entry.payload, presentation, cache })
        if (entry.request_id !== null) requestIds.push(entry.request_id)
      }
      const texts = coalesce(found, told).map(({ event, payload, isJoined }) => {
        const { eventId, index, presentation, cache } = event
        // What is kept in the cache belongs to the entry alone.
        const fields = presentation.write(payload, index, queue, isJoined ? new Map() : cache)
        return `{"id":${eventId},${fields}}`
      })
      return { texts, requestIds }
    },
  }
}
