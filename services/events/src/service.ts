import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { endpoints, internal, pollLink } from '@tms/contracts'
import {
  acceptFrames,
  closeRedis,
  connectRedis,
  createConcurrencyLimit,
  createInternalClient,
  createInternalTokenSource,
  createMetrics,
  createPublisher,
  createUserTokenVerifier,
  type Logger,
  openBroker,
  openService,
  rabbitmqProbe,
  redisProbe,
  requestDurationsOf,
  serveApi,
  subscribe,
  waitForRedis,
} from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { Config } from './config.ts'
import { createEventMetrics } from './event-metrics.ts'
import { handlers, internalHandlers } from './handlers.ts'
import { type LogTail, startLogTail } from './log/log-tail.ts'
import { type Coordinator, startCoordinator } from './partitions/coordinator.ts'
import { startLeaseKeeper } from './partitions/lease-keeper.ts'
import { partitionOf } from './partitions/partition-of.ts'
import { servePollLinks } from './poll-links/poll-links.ts'
import type { Context } from './queues/context.ts'
import { createDeliveryLatency } from './queues/delivery-latency.ts'
import { createDeliveryTraces } from './queues/delivery-traces.ts'
import { createEventReader } from './queues/event-reader.ts'
import { REGISTRATION_LIMIT } from './queues/open-queue.ts'
import { keepStreams } from './queues/open-streams.ts'
import { type PollRegistry, startPollRegistry } from './queues/poll-registry.ts'
import { createPartitionStore } from './redis/create-partition-store.ts'
import { keysOf } from './redis/keys.ts'
import { watchLostSecond } from './redis/lost-second.ts'
import { startReleasePublisher } from './release/publish-release.ts'
import { canReachClients } from './rendering/presentations.ts'

/** Opens everything, top to bottom. `close` undoes it, bottom to top. */
export async function createService(
  config: Config,
  log: Logger,
): Promise<{ port: number; close: () => Promise<void> }> {
  return openService(config, log, async (opening) => {
    const { closers, tls } = opening
    // Operators recognize replicas by host name. The suffix distinguishes a restarted process from the one before it.
    const replicaId = `${hostname()}-${randomUUID().slice(0, 8)}`
    log.info({ replicaId }, 'replica ID assigned')
    const metrics = createMetrics('events')
    const keys = keysOf(config.NAMESPACE, config.EVENTS_PARTITIONS)
    const redis = closers.add('redis', connectRedis(config.REDIS_URL, log, { tls }), closeRedis)
    const { broker, topology } = openBroker(opening, config)
    const publisher = closers.add('publisher', createPublisher(broker, topology.exchange), (one) =>
      one.close(),
    )
    const store = createPartitionStore(redis, keys)
    const traces = createDeliveryTraces(() => logTail)
    const pollRegistry: PollRegistry = closers.add(
      'poll registry',
      startPollRegistry({
        subscribe: (options) => subscribe(redis, config.REDIS_URL, { ...options, log, tls }),
        keys,
        replicaId,
        onHandover: (from) => coordinator.onHandover(from),
        onTraces: traces.recordCommits,
      }),
      (one) => one.close(),
    )

    const streams = closers.add('streams', keepStreams(), (one) => one.stop())
    const { onCommitted } = createEventMetrics([metrics], {
      streams,
      coordinator: () => coordinator,
      pollRegistry: () => pollRegistry,
      logTail: () => logTail,
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
        logTail: () => logTail,
        log,
        onCommitted,
      }),
      (one) => one.stop(),
    )
    const events = createEventReader(() => logTail, store)
    const logTail: LogTail = closers.add(
      'log tail',
      startLogTail({
        canReachClients,
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
    closers.add('release', startReleasePublisher({ redis, keys, publisher, replicaId, log }), (loop) =>
      loop.stop(),
    )
    const context: Context = {
      replicaId,
      store,
      logTail,
      publisher,
      pollRegistry,
      streams,
      limitRegistrations: createConcurrencyLimit(REGISTRATION_LIMIT),
      events,
      traces,
      deliveryLatency: createDeliveryLatency([metrics], Date.now),
      isLostCommitPossible: watchLostSecond({
        connectedAt: store.connectedAt,
        findEnd: logTail.findEnd,
      }),
      renderedQueues: new LRUCache({ max: 50_000 }),
      peers: createInternalClient(
        { users: config.USERS_URL, realm: config.REALM_URL, messaging: config.MESSAGING_URL },
        createInternalTokenSource('events', config.INTERNAL_PRIVATE_KEY),
        tls,
      ),
      partitionCount: config.EVENTS_PARTITIONS,
      partitionOf: (userId) => partitionOf(userId, config.EVENTS_PARTITIONS),
      now: () => Date.now(),
    }
    const verifyUser = createUserTokenVerifier(config.JWT_PUBLIC_KEY)
    const api = {
      owner: 'events',
      endpoints: endpoints.events,
      internalEndpoints: internal.events,
      handlers,
      internalHandlers,
      context,
      metrics,
      verifyUser,
    } as const
    const links = servePollLinks({
      context,
      verifyUser,
      durations: requestDurationsOf(metrics),
      log,
    })
    const http = await serveApi(opening, config, api, {
      upgrade: acceptFrames({
        ...pollLink,
        from: 'gateway',
        internalPublicKey: config.INTERNAL_PUBLIC_KEY,
        isAccepting: () => !links.isLeaving(),
        onAccepted: links.add,
        log,
      }),
      onLeaving: links.leave,
      probes: [
        // Optional: without RabbitMQ, queues still deliver their pending events.
        { ...rabbitmqProbe(broker), isOptional: true },
        redisProbe(redis),
        { name: 'log', check: logTail.check },
        { name: 'log reading', check: logTail.checkReading, isOptional: true },
      ],
      close: async (server) => {
        const closed = server.close()
        // Answers all pending polls at once, so that clients poll again at another replica.
        pollRegistry.endAll()
        await links.close()
        await closed
      },
    })
    return { port: http.port }
  })
}
