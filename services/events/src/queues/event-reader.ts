import type { LogEntry } from '@tms/contracts'
import { LRUCache } from 'lru-cache'
import { positionOf } from '../kernel/event-id.ts'
import type { LogTail } from '../log/log-tail.ts'
import type { DeliveryBoundaries } from '../redis/delivery-boundaries.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import { type Cache, cached, type Presentation, type RenderedQueue } from '../rendering/presentation.ts'
import { presentationOf } from '../rendering/presentations.ts'
import { type Coalesced, coalesce, type UnrenderedEvent } from './coalesce.ts'
import { findOldestAt } from './delivery-latency.ts'

/**
 * Characters of events after which an answer ends; its client polls again at once. This is a thousand usual messages, but a
 * message may be a megabyte: too large, and a few clients that return to many of those use up a replica's memory.
 */
export const MAX_ANSWER_LENGTH = 4 * 1024 ** 2
/** Characters of entries from Redis to cache, for clients that return to the same events after an outage. */
const MAX_CACHED_LENGTH = 8 * 1024 ** 2

export interface RenderedEvents {
  readonly texts: readonly string[]
  /** IDs of the events that `texts` contain: from the first requested one, as many as fit into an answer. */
  readonly eventIds: readonly number[]
  /** IDs of the requests that caused them. */
  readonly requestIds: readonly string[]
  /** The time of the oldest of their entries; null if there is none. */
  readonly oldestAt: number | null
}

export interface EventReader {
  /**
   * Renders events for a queue's client: all of them, or as many as fit into an answer (of `maxLength` characters), at least one. Joins events that can be
   * joined and weren't delivered yet. Takes entries from memory if this replica has read them, else from the partition's
   * payloads. Throws if one is in neither, which means that the queue was closed.
   */
  render(
    partition: number,
    queue: RenderedQueue,
    eventIds: readonly number[],
    boundaries: DeliveryBoundaries,
    maxLength?: number,
  ): Promise<RenderedEvents>
  /** As `render`; null if an entry isn't in memory. */
  renderFromMemory(
    queue: RenderedQueue,
    eventIds: readonly number[],
    boundaries: DeliveryBoundaries,
    maxLength?: number,
  ): RenderedEvents | null
  /** Empties the cache after the log was lost. */
  clear(): void
}

interface LoadedEvent extends UnrenderedEvent, EntrySource {
  readonly index: number
  readonly presentation: Presentation
}

/** A log entry and the values that rendering derived from it. */
interface EntrySource {
  readonly entry: LogEntry
  readonly cache: Cache
}

export function createEventReader(
  logTail: () => Pick<LogTail, 'recent' | 'end' | 'isLost'>,
  store: PartitionStore,
): EventReader {
  const loaded = new LRUCache<number, EntrySource>({ maxSize: MAX_CACHED_LENGTH })
  const findInMemory = (offset: number): EntrySource | undefined => {
    const recent = logTail().recent.get(offset)
    return recent?.entry ? { entry: recent.entry, cache: recent.cache } : loaded.get(offset)
  }

  /** Loads the entries at these offsets, or the first ones if they are very large. */
  const loadSources = async (
    partition: number,
    offsets: ReadonlySet<number>,
  ): Promise<Map<number, EntrySource>> => {
    const sources = new Map<number, EntrySource>()
    const missing: number[] = []
    for (const offset of offsets) {
      const source = findInMemory(offset)
      if (source) sources.set(offset, source)
      else missing.push(offset)
    }
    if (missing.length === 0) return sources
    const texts = await store.payloads(partition, missing, MAX_ANSWER_LENGTH)
    for (const [at, text] of texts.entries()) {
      const offset = missing[at] as number
      if (text === null) throw new Error(`no payload at offset ${offset}`)
      const source = { entry: JSON.parse(text) as LogEntry, cache: new Map() }
      // Partitions that have yet to be emptied contain entries of a lost log, at offsets that the new log will reach.
      if (offset <= (logTail().end() ?? -1) && !logTail().isLost(offset))
        loaded.set(offset, source, { size: text.length })
      sources.set(offset, source)
    }
    return sources
  }

  const renderFromMemory: EventReader['renderFromMemory'] = (
    queue,
    eventIds,
    boundaries,
    maxLength = MAX_ANSWER_LENGTH,
  ) => {
    const events: LoadedEvent[] = []
    for (const eventId of eventIds) {
      const { offset, index } = positionOf(eventId)
      const source = findInMemory(offset)
      if (source === undefined) return null
      events.push(loadedEvent(eventId, index, source))
    }
    return answerOf(renderTexts(coalesce(events, boundaries), queue, maxLength), events)
  }

  return {
    renderFromMemory,
    render: async (partition, queue, eventIds, boundaries, maxLength = MAX_ANSWER_LENGTH) => {
      const rendered = renderFromMemory(queue, eventIds, boundaries, maxLength)
      if (rendered !== null) return rendered
      const requested = eventIds.map((eventId) => ({ eventId, ...positionOf(eventId) }))
      const events: LoadedEvent[] = []
      for (;;) {
        const remaining = requested.slice(events.length)
        const sources = await loadSources(partition, new Set(remaining.map(({ offset }) => offset)))
        for (const { eventId, offset, index } of remaining) {
          const source = sources.get(offset)
          if (!source) break
          events.push(loadedEvent(eventId, index, source))
        }
        const isComplete = events.length === requested.length
        const texts = renderTexts(dropIncomplete(coalesce(events, boundaries), isComplete), queue, maxLength)
        if (isComplete || texts.size > 0) return answerOf(texts, events)
      }
    },
    clear: () => loaded.clear(),
  }
}

const loadedEvent = (eventId: number, index: number, { entry, cache }: EntrySource): LoadedEvent => ({
  eventId,
  index,
  payload: entry.payload,
  presentation: presentationOf(entry),
  entry,
  cache,
})

/** Removes the last event if one that has yet to be loaded may be joined to it. */
function dropIncomplete(events: Coalesced<LoadedEvent>[], isComplete: boolean): Coalesced<LoadedEvent>[] {
  return isComplete || !events.at(-1)?.event.presentation.joining ? events : events.slice(0, -1)
}

function renderTexts(
  events: readonly Coalesced<LoadedEvent>[],
  queue: RenderedQueue,
  maxLength: number,
): Map<number, string> {
  const texts = new Map<number, string>()
  let length = 0
  for (const { event, payload, isJoined } of events) {
    const { eventId, index, presentation, cache } = event
    // The entry's cache has values of that entry alone.
    const fields = presentation.write(payload, index, queue, isJoined ? new Map() : cache)
    length += fields.length
    if (length > maxLength && texts.size > 0) break
    texts.set(eventId, isJoined ? withId(eventId, fields) : sharedText(cache, eventId, fields))
  }
  return texts
}

const withId = (eventId: number, fields: string): string => `{"id":${eventId},${fields}}`

/** One text for all queues with the same fields: it is compared and encoded once. */
function sharedText(cache: Cache, eventId: number, fields: string): string {
  const texts = cached(cache, 'texts', () => new Map<string, { eventId: number; text: string }>())
  const known = texts.get(fields)
  if (known?.eventId === eventId) return known.text
  const text = withId(eventId, fields)
  texts.set(fields, { eventId, text })
  return text
}

function answerOf(texts: ReadonlyMap<number, string>, events: readonly LoadedEvent[]): RenderedEvents {
  const last = [...texts.keys()].at(-1) ?? -1
  const rendered = events.filter(({ eventId }) => eventId <= last)
  return {
    texts: [...texts.values()],
    eventIds: rendered.map(({ eventId }) => eventId),
    requestIds: rendered.flatMap(({ entry }) => entry.request_id ?? []),
    oldestAt: findOldestAt(rendered.map(({ entry }) => entry)),
  }
}
