import type { LogEntry } from '@tms/contracts'
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

/** An entry, and what rendering keeps of it. */
interface Source {
  readonly entry: LogEntry
  readonly cache: Cache
}

export function createEventReader(feed: LogFeed, store: PartitionStore): EventReader {
  const sourcesOf = async (partition: number, offsets: ReadonlySet<number>): Promise<Map<number, Source>> => {
    const sources = new Map<number, Source>()
    const missing: number[] = []
    for (const offset of offsets) {
      const known = feed.recent.get(offset)
      if (known?.entry) sources.set(offset, { entry: known.entry, cache: known.cache })
      else missing.push(offset)
    }
    if (missing.length === 0) return sources
    const stored = await store.payloads(partition, missing)
    for (const offset of missing) {
      const text = stored.get(offset)
      if (text === undefined) throw new Error(`no payload at offset ${offset}`)
      sources.set(offset, { entry: JSON.parse(text) as LogEntry, cache: new Map() })
    }
    return sources
  }

  return {
    render: async (partition, queue, eventIds, told) => {
      const places = eventIds.map((eventId) => ({ eventId, ...positionOf(eventId) }))
      const sources = await sourcesOf(partition, new Set(places.map(({ offset }) => offset)))
      const requestIds: string[] = []
      const found = places.map(({ eventId, offset, index }): Found => {
        const { entry, cache } = sources.get(offset) as Source
        if (entry.request_id !== null) requestIds.push(entry.request_id)
        return { eventId, index, payload: entry.payload, presentation: presentationOf(entry), cache }
      })
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
