import type { InternalClient, LimitConcurrency, Publisher } from '@tms/service-kit'
import type { LRUCache } from 'lru-cache'
import type { LogTail } from '../log/log-tail.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import type { DeliveryLatency } from './delivery-latency.ts'
import type { DeliveryTraces } from './delivery-traces.ts'
import type { EventReader } from './event-reader.ts'
import type { OpenStreams } from './open-streams.ts'
import type { PollRegistry } from './poll-registry.ts'

export interface Context {
  readonly replicaId: string
  readonly store: PartitionStore
  readonly logTail: LogTail
  readonly publisher: Publisher
  readonly pollRegistry: PollRegistry
  readonly streams: Pick<OpenStreams, 'add' | 'delete'>
  /** Limits how many registrations query the other services at once. */
  readonly limitRegistrations: LimitConcurrency
  readonly events: EventReader
  readonly traces: DeliveryTraces
  readonly deliveryLatency: DeliveryLatency
  /** Queues as rendering needs them, by ID: they never change while a queue lives, so a replica reads each only once. */
  readonly renderedQueues: LRUCache<string, RenderedQueue>
  readonly peers: InternalClient
  /** Whether a commit that contained this log offset may have been lost with Redis' last second (`watchLostSecond`). */
  readonly isLostCommitPossible: (offset: number) => boolean
  readonly partitionCount: number
  readonly partitionOf: (userId: number) => number
  readonly now: () => number
}
