import { activeSpan, remoteContext, startSpan, type TraceContext } from '@tms/service-kit'
import { positionOf } from '../kernel/event-id.ts'
import type { LogTail } from '../log/log-tail.ts'

/** Number of commits whose traces are remembered: enough until clients have fetched the events. */
const MAX_COMMITS = 10_000
/** Maximum number of deliveries in the trace of an event per replica, because an event of a large channel has very many. */
const MAX_DELIVERY_SPANS = 50

interface Commit {
  readonly context: TraceContext
  spanCount: number
}

/** Adds deliveries to the traces of events, and links them with the traces of polls. */
export interface DeliveryTraces {
  /** Remembers the commits that a partition's owner published. */
  recordCommits(partition: number, traceparents: Readonly<Record<string, string>>): void
  /**
   * Records the events that a poll is answered with: a span in each event's trace, from `startedAt` (milliseconds of
   * `Date.now()`) until now. Links these spans and the poll's span with each other. Must be called within the poll's span.
   */
  recordDelivery(delivery: Delivery): void
}

interface Delivery {
  readonly partition: number
  readonly queueId: string
  readonly eventIds: readonly number[]
  readonly startedAt: number
}

export function createDeliveryTraces(logTail: () => LogTail): DeliveryTraces {
  const commits = new Map<string, Commit>()

  /** The parent of the delivery's span: the commit, or the publisher of the entry if this replica missed the commit. */
  const findParent = (partition: number, offset: number): TraceContext | null => {
    const commit = commits.get(keyOf(partition, offset))
    if (!commit) return logTail().recent.get(offset)?.trace?.publisher ?? null
    return commit.spanCount++ < MAX_DELIVERY_SPANS ? commit.context : null
  }

  return {
    recordCommits: (partition, traceparents) => {
      for (const offset in traceparents) {
        const context = remoteContext(traceparents[offset])
        if (context) commits.set(keyOf(partition, Number(offset)), { context, spanCount: 0 })
      }
      for (const oldest of commits.keys()) {
        if (commits.size <= MAX_COMMITS) break
        commits.delete(oldest)
      }
    },
    recordDelivery: ({ partition, queueId, eventIds, startedAt }) => {
      const poll = activeSpan()
      for (const offset of new Set(eventIds.map((eventId) => positionOf(eventId).offset))) {
        const parent = findParent(partition, offset)
        if (!parent) continue
        const event = logTail().recent.get(offset)?.entry?.event ?? 'event'
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
