import type { InternalClient, LimitConcurrency, Publisher } from '@tms/service-kit'
import type { LRUCache } from 'lru-cache'
import type { LogTail } from './log/log-tail.ts'
import type { EventReader } from './queues/event-reader.ts'
import type { Waiters } from './queues/waiters.ts'
import type { PartitionStore } from './redis/partition-store.ts'
import type { RenderedQueue } from './rendering/presentation.ts'
import type { DeliveryTraces } from './tracing/delivery-traces.ts'

/** What handlers may use. */
export interface Context {
  readonly replicaId: string
  readonly store: PartitionStore
  readonly feed: LogTail
  readonly publisher: Publisher
  readonly waiters: Waiters
  /** Lets registrations ask the other services in turn. */
  readonly registering: LimitConcurrency
  readonly events: EventReader
  readonly traces: DeliveryTraces
  /** Records never change while a queue lives, so a replica needs to read one only once. */
  readonly records: LRUCache<string, RenderedQueue>
  readonly peers: InternalClient
  /** Whether Redis may have stood at this log offset and have lost it. */
  readonly mayBeLost: (offset: number) => boolean
  readonly partitionCount: number
  readonly partitionOf: (userId: number) => number
  readonly now: () => number
}
