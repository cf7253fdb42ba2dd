import { Counter, Gauge, type Registry } from '@tms/service-kit'
import type { Changes } from './delivery/changes.ts'
import type { LogTail } from './log/log-tail.ts'
import type { Coordinator } from './partitions/coordinator.ts'
import type { OpenStreams } from './queues/open-streams.ts'
import type { PollRegistry } from './queues/poll-registry.ts'

/** Metrics for operators: log lag, number of queues, deliveries. */
export function createEventMetrics(
  registers: Registry[],
  parts: {
    readonly streams: Pick<OpenStreams, 'count'>
    readonly coordinator: () => Coordinator
    readonly pollRegistry: () => PollRegistry
    readonly logTail: () => LogTail
  },
): { onCommitted: (changes: Changes, entries: number) => void } {
  const registered = { registers }
  const deliveries = new Counter({
    name: 'event_deliveries_total',
    help: 'Events appended to queues.',
    ...registered,
  })
  const commits = new Counter({
    name: 'event_commits_total',
    help: 'Batches committed to Redis.',
    ...registered,
  })
  const entries = new Counter({
    name: 'event_log_entries_total',
    help: 'Log entries committed.',
    ...registered,
  })
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      ...registered,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  counter('event_wake_ups_total', 'Wake-ups of long-polls and streams of this replica by commits.', () =>
    parts.pollRegistry().countWoken(),
  )
  counter(
    'event_partitions_acquired_total',
    'Partitions that this replica acquired, counting each time.',
    () => parts.coordinator().countAcquired(),
  )
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      ...registered,
      collect() {
        this.set(read())
      },
    })
  gauge(
    'event_partitions_owned',
    'Partitions that this replica owns.',
    () => parts.coordinator().owned().length,
  )
  gauge('event_queues_live', 'Live queues of the partitions that this replica owns.', () =>
    parts
      .coordinator()
      .owned()
      .reduce((sum, { queues }) => sum + queues, 0),
  )
  gauge('event_pending_polls', 'Long-polls and streams that wait at this replica.', () =>
    parts.pollRegistry().countPending(),
  )
  gauge('event_streams_open', 'Streams that this replica serves.', parts.streams.count)
  gauge(
    'event_log_lag_entries',
    'Entries in the log but not yet committed, of the partition furthest behind.',
    () => {
      const end = parts.logTail().end() ?? 0
      return parts
        .coordinator()
        .owned()
        .reduce((lag, { committedOffset }) => Math.max(lag, end - committedOffset), 0)
    },
  )
  new Gauge({
    name: 'event_log_readable',
    help: '0 while the broker is available but this replica cannot read the log.',
    ...registered,
    async collect() {
      this.set(
        await parts
          .logTail()
          .checkReading()
          .then(
            () => 1,
            () => 0,
          ),
      )
    },
  })
  return {
    onCommitted: (changes, count) => {
      commits.inc()
      entries.inc(count)
      for (const ids of changes.deliveries.values()) deliveries.inc(ids.length)
    },
  }
}
