import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { endpoints, internal } from '@tms/contracts'
import {
  closeRedis,
  connectRedis,
  createConcurrencyLimit,
  createInternalClient,
  createInternalTokenSource,
  createMetrics,
  createPublisher,
  type Logger,
  openBroker,
  openService,
  rabbitmqProbe,
  redisProbe,
  serveApi,
  subscribe,
  waitForRedis,
} from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createEventMetrics } from './event-metrics.ts'
import { handlers, internalHandlers } from './handlers.ts'
import { type LogTail, startLogTail } from './log/log-tail.ts'
import { type Coordinator, startCoordinator } from './partitions/coordinator.ts'
import { startLeaseKeeper } from './partitions/lease-keeper.ts'
import { partitionOf } from './partitions/partition-of.ts'
import { createEventReader } from './queues/event-reader.ts'
import { REGISTERING } from './queues/open-queue.ts'
import { startWaiters, type Waiters } from './queues/waiters.ts'
import { keysOf } from './redis/keys.ts'
import { watchLostSecond } from './redis/lost-second.ts'
import { createPartitionStore } from './redis/partition-store.ts'
import { startTellingRelease } from './release/tell-release.ts'
import { reachesClients } from './rendering/presentations.ts'
import { createDeliveryTraces } from './tracing/delivery-traces.ts'

/** Opens everything, top to bottom. `close` undoes it, bottom to top. */
export async function createService(
  config: Config,
  log: Logger,
): Promise<{ port: number; close: () => Promise<void> }> {
  return openService(config, log, async (opening) => {
    const { closers, tls } = opening
    // Operators know processes by their hosts; of one whose predecessor just died there, the rest tells it apart.
    const replicaId = `${hostname()}-${randomUUID().slice(0, 8)}`
    log.info({ replicaId }, 'this replica of events is called so')
    const metrics = createMetrics('events')
    const keys = keysOf(config.NAMESPACE, config.EVENTS_PARTITIONS)
    const redis = closers.add('redis', connectRedis(config.REDIS_URL, log, { tls }), closeRedis)
    const { broker, topology } = openBroker(opening, config)
    const publisher = closers.add('publisher', createPublisher(broker, topology.exchange), (one) =>
      one.close(),
    )
    const store = createPartitionStore(redis, keys)
    const traces = createDeliveryTraces(() => feed)
    const waiters: Waiters = closers.add(
      'waiters',
      startWaiters({
        subscribe: (options) => subscribe(redis, config.REDIS_URL, { ...options, log, tls }),
        keys,
        replicaId,
        onHandover: (from) => coordinator.look(from),
        onTraces: traces.note,
      }),
      (held) => held.close(),
    )

    const { onCommitted } = createEventMetrics([metrics], {
      coordinator: () => coordinator,
      waiters: () => waiters,
      feed: () => feed,
    })
    const coordinator: Coordinator = closers.add(
      'partitions',
      startCoordinator({
        replicaId,
        partitionCount: config.EVENTS_PARTITIONS,
        maxBacklog: config.EVENTS_MAX_BACKLOG,
        maxQueuesPerUser: config.EVENTS_MAX_QUEUES_PER_USER,
        store,
        keeper: startLeaseKeeper({
          redisUrl: config.REDIS_URL,
          tls,
          namespace: config.NAMESPACE,
          partitionCount: config.EVENTS_PARTITIONS,
          replicaId,
          log,
        }),
        feed: () => feed,
        log,
        onCommitted,
      }),
      (one) => one.stop(),
    )
    const events = createEventReader(() => feed, store)
    const feed: LogTail = closers.add(
      'log feed',
      startLogTail({
        reachesClients,
        broker,
        queue: topology.log,
        log,
        onRecord: (record) => coordinator.offer(record),
        onLogLost: () => {
          events.clear()
          coordinator.reload()
        },
      }),
      (one) => one.close(),
    )
    await waitForRedis(redis)
    closers.add('release', startTellingRelease({ redis, keys, publisher, replicaId, log }), (loop) =>
      loop.stop(),
    )
    const context: Context = {
      replicaId,
      store,
      feed,
      publisher,
      waiters,
      registering: createConcurrencyLimit(REGISTERING),
      events,
      traces,
      mayBeLost: watchLostSecond({ connectedAt: store.connectedAt, findEnd: feed.findEnd }),
      records: new LRUCache({ max: 50_000 }),
      peers: createInternalClient(
        { users: config.USERS_URL, realm: config.REALM_URL, messaging: config.MESSAGING_URL },
        createInternalTokenSource('events', config.INTERNAL_PRIVATE_KEY),
        tls,
      ),
      partitionCount: config.EVENTS_PARTITIONS,
      partitionOf: (userId) => partitionOf(userId, config.EVENTS_PARTITIONS),
      now: () => Date.now(),
    }
    const api = {
      owner: 'events',
      endpoints: endpoints.events,
      internalEndpoints: internal.events,
      handlers,
      internalHandlers,
      context,
      metrics,
    } as const
    const http = await serveApi(opening, config, api, {
      probes: [
        // Queues go on giving what is there.
        { ...rabbitmqProbe(broker), isOptional: true },
        redisProbe(redis),
        { name: 'log', check: feed.check },
        { name: 'log reading', check: feed.checkReading, isOptional: true },
      ],
      close: async (server) => {
        const closed = server.close()
        // Answered at once, so that clients poll again at another replica.
        waiters.endAll()
        await closed
      },
    })
    return { port: http.port }
  })
}
