import type { Registry } from 'prom-client'
import type { Broker } from '../broker/connection.ts'
import type { Topology } from '../broker/topology.ts'
import type { CacheLease } from '../cache-lease/cache-lease.ts'
import type { InternalClient } from '../internal-calls/internal-client.ts'
import type { Pool } from '../postgres/pool.ts'
import { startProjectionLoader } from '../projections/load-projection.ts'
import { type DomainEventHandler, startProjectionConsumer } from '../projections/projection-consumer.ts'
import { handlersOf, type ProjectionOwner } from '../projections/projection-owner.ts'
import { type ProjectionReplay, startProjectionReplay } from '../projections/projection-replay.ts'
import type { Opening } from './assembly.ts'

interface ProjectionsOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly broker: Broker
  readonly topology: Topology
  readonly metrics: Registry
  readonly owners: readonly ProjectionOwner[]
  /** What events do beside bringing records. */
  readonly handlers: readonly DomainEventHandler[]
  readonly lease: Pick<CacheLease, 'refreshAll'>
}

/**
 * Keeps projections current: applies the owners' events, loads everything at start and every hour, and repairs rows when
 * an operator requests it. Announced changes come by the lease's followers (`followOwner`).
 */
export function openProjections(
  { closers, log }: Opening,
  { db, call, broker, topology, metrics, owners, handlers, lease }: ProjectionsOptions,
): ProjectionReplay {
  const queue = topology.projections
  const started = startProjectionConsumer({
    ...{ broker, queue, db, log, metrics },
    handlers: handlersOf(owners, handlers),
  })
  const consumer = closers.add('projection consumer', started, (running) => running.stop())
  closers.add('projection loader', startProjectionLoader({ db, call, log, owners }), (loop) => loop.stop())
  const replay = startProjectionReplay({ broker, queue, db, call, log, consumer, owners, lease })
  return closers.add('projection replay', replay, (running) => running.stop())
}
