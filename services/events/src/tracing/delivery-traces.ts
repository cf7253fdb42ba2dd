import { activeSpan, remoteContext, startSpan, type TraceContext } from '@tms/service-kit'
import type { LogTail } from '../log/log-tail.ts'
import { positionOf } from '../partitions/event-id.ts'

/** Commits whose traces are remembered: as long as clients take to fetch what is new. */
const MAX_COMMITS = 10_000
/** An event of a large channel goes to as many as read it; so many of them show in its trace on each replica. */
const MAX_SHOWN = 50

interface Commit {
  readonly context: TraceContext
  shown: number
}

/** Says in events' traces who got them, and in polls' traces what they brought. */
export interface DeliveryTraces {
  /** Remembers the commits that a partition's owner has told of. */
  note(partition: number, traceparents: Readonly<Record<string, string>>): void
  /**
   * Tells of the events that a poll is answered with: a span in each event's trace, from `startedAt` (milliseconds of
   * `Date.now()`) until now, and the poll's span and those linked to each other. Call it within the poll's span.
   */
  delivered(delivery: Delivery): void
}

interface Delivery {
  readonly partition: number
  readonly queueId: string
  readonly eventIds: readonly number[]
  readonly startedAt: number
}

export function createDeliveryTraces(feed: () => LogTail): DeliveryTraces {
  const commits = new Map<string, Commit>()

  /** Where the delivery goes on from: the commit, or what published the entry, where this replica missed the commit. */
  const findParent = (partition: number, offset: number): TraceContext | null => {
    const commit = commits.get(keyOf(partition, offset))
    if (!commit) return feed().recent.get(offset)?.trace?.publisher ?? null
    return commit.shown++ < MAX_SHOWN ? commit.context : null
  }

  return {
    note: (partition, traceparents) => {
      for (const offset in traceparents) {
        const context = remoteContext(traceparents[offset])
        if (context) commits.set(keyOf(partition, Number(offset)), { context, shown: 0 })
      }
      for (const oldest of commits.keys()) {
        if (commits.size <= MAX_COMMITS) break
        commits.delete(oldest)
      }
    },
    delivered: ({ partition, queueId, eventIds, startedAt }) => {
      const poll = activeSpan()
      for (const offset of new Set(eventIds.map((eventId) => positionOf(eventId).offset))) {
        const parent = findParent(partition, offset)
        if (!parent) continue
        const event = feed().recent.get(offset)?.entry?.event ?? 'event'
        const open = startSpan(`deliver ${event}`, parent, {
          startTime: startedAt,
          attributes: { 'tms.partition': partition, 'tms.queue_id': queueId },
          links: poll ? [{ context: poll.spanContext() }] : [],
        })
        open?.span.end()
        if (open) poll?.addLink({ context: open.span.spanContext() })
      }
    },
  }
}

const keyOf = (partition: number, offset: number): string => `${partition}:${offset}`
