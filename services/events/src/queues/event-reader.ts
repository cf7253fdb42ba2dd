import type { LogEntry } from '@tms/contracts'
import { LRUCache } from 'lru-cache'
import type { LogTail } from '../log/log-tail.ts'
import { positionOf } from '../partitions/event-id.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Cache, Presentation, RenderedQueue } from '../rendering/presentation.ts'
import { presentationOf } from '../rendering/presentations.ts'
import { type Coalesced, coalesce, type Unwritten } from './coalesce.ts'
import type { Told } from './told.ts'

/**
 * Characters of events after which an answer ends; its client polls again at once. A thousand usual messages, but a message
 * may be a megabyte: too large, and a few clients who come back to many of those take all of a replica's memory.
 */
export const MAX_ANSWER_LENGTH = 4 * 1024 ** 2
/** Characters kept of entries that were read from Redis, for all who come back to the same after an outage. */
const MAX_KEPT_LENGTH = 8 * 1024 ** 2

/** Client events of a queue, ready to send. */
export interface RenderedEvents {
  /** JSON texts, one per event. */
  readonly texts: readonly string[]
  /** What they tell: as many of the events asked for as an answer takes, from the first on. */
  readonly eventIds: readonly number[]
  /** IDs of the requests that caused them. */
  readonly requestIds: readonly string[]
}

export interface EventReader {
  /**
   * Renders events for a queue's client, joining those that can be one and weren't told yet: all of them, or as many as fit
   * into an answer, at least one. Entries come from memory where this replica has read them, else from the partition's
   * payloads. Throws when one is in neither, which means that the queue was closed.
   */
  render(
    partition: number,
    queue: RenderedQueue,
    eventIds: readonly number[],
    told: Told,
  ): Promise<RenderedEvents>
  /** Forgets what it has read of a log that is no more. */
  clear(): void
}

/** An event of the log as one of a queue. */
interface Found extends Unwritten, Source {
  readonly index: number
  readonly presentation: Presentation
}

/** An entry, and what rendering keeps of it. */
interface Source {
  readonly entry: LogEntry
  readonly cache: Cache
}

export function createEventReader(
  feed: () => Pick<LogTail, 'recent' | 'end' | 'isLost'>,
  store: PartitionStore,
): EventReader {
  const kept = new LRUCache<number, Source>({ maxSize: MAX_KEPT_LENGTH })
  const known = (offset: number): Source | undefined => {
    const recent = feed().recent.get(offset)
    return recent?.entry ? { entry: recent.entry, cache: recent.cache } : kept.get(offset)
  }

  /** The entries at these offsets, or those up to some of them where they are very large. */
  const sourcesOf = async (partition: number, offsets: ReadonlySet<number>): Promise<Map<number, Source>> => {
    const sources = new Map<number, Source>()
    const missing: number[] = []
    for (const offset of offsets) {
      const source = known(offset)
      if (source) sources.set(offset, source)
      else missing.push(offset)
    }
    if (missing.length === 0) return sources
    const texts = await store.payloads(partition, missing, MAX_ANSWER_LENGTH)
    for (const [at, text] of texts.entries()) {
      const offset = missing[at] as number
      if (text === null) throw new Error(`no payload at offset ${offset}`)
      const source = { entry: JSON.parse(text) as LogEntry, cache: new Map() }
      // Partitions that are yet to be emptied have entries of a log that was lost, at offsets that the next one comes to.
      if (offset <= (feed().end() ?? -1) && !feed().isLost(offset))
        kept.set(offset, source, { size: text.length })
      sources.set(offset, source)
    }
    return sources
  }

  return {
    render: async (partition, queue, eventIds, told) => {
      const places = eventIds.map((eventId) => ({ eventId, ...positionOf(eventId) }))
      const found: Found[] = []
      for (;;) {
        const wanted = places.slice(found.length)
        const sources = await sourcesOf(partition, new Set(wanted.map(({ offset }) => offset)))
        for (const { eventId, offset, index } of wanted) {
          const source = sources.get(offset)
          if (!source) break
          const { entry } = source
          found.push({
            eventId,
            index,
            payload: entry.payload,
            presentation: presentationOf(entry),
            ...source,
          })
        }
        const isWhole = found.length === places.length
        const texts = write(settled(coalesce(found, told), isWhole), queue)
        if (isWhole || texts.size > 0) return answerOf(texts, found)
      }
    },
    clear: () => kept.clear(),
  }
}

/** Without the last where an event that is yet to be read may belong to it. */
function settled(events: Coalesced<Found>[], isWhole: boolean): Coalesced<Found>[] {
  return isWhole || !events.at(-1)?.event.presentation.joining ? events : events.slice(0, -1)
}

/** Texts by event ID, of as many as fit into an answer. */
function write(events: readonly Coalesced<Found>[], queue: RenderedQueue): Map<number, string> {
  const texts = new Map<number, string>()
  let length = 0
  for (const { event, payload, isJoined } of events) {
    const { eventId, index, presentation, cache } = event
    // What is kept in the cache belongs to the entry alone.
    const fields = presentation.write(payload, index, queue, isJoined ? new Map() : cache)
    length += fields.length
    if (length > MAX_ANSWER_LENGTH && texts.size > 0) break
    texts.set(eventId, `{"id":${eventId},${fields}}`)
  }
  return texts
}

function answerOf(texts: ReadonlyMap<number, string>, found: readonly Found[]): RenderedEvents {
  const last = [...texts.keys()].at(-1) ?? -1
  const told = found.filter(({ eventId }) => eventId <= last)
  return {
    texts: [...texts.values()],
    eventIds: told.map(({ eventId }) => eventId),
    requestIds: told.flatMap(({ entry }) => entry.request_id ?? []),
  }
}
