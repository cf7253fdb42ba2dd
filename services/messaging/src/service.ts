import { openBlobStore } from '@tms/blob-store'
import { endpoints, internal } from '@tms/contracts'
import {
  applyRecords,
  createInternalClient,
  createInternalTokenSource,
  createMetrics,
  createPublisher,
  followOwner,
  type Logger,
  type Loop,
  loadProjection,
  openCacheLease,
  openOutbox,
  openProjections,
  openService,
  postgresProbe,
  publisherOf,
  rabbitmqProbe,
  relayProbe,
  serveApi,
  withPublicAuthorities,
} from '@tms/service-kit'
import { startBlobDeletion } from './attachments/delete-blobs.ts'
import { startUnusedFileDeletion } from './attachments/delete-unused-files.ts'
import { createTemporaryUrls } from './attachments/temporary-urls.ts'
import { checkChannels } from './channel-limits/check-channels.ts'
import { startActivityUpdates } from './channels/recently-active.ts'
import { startTrafficCounter } from './channels/weekly-traffic.ts'
import type { Config } from './config.ts'
import type { DigestContext } from './digests/describe-digest.ts'
import { createTopicNewsFinder } from './digests/topic-news.ts'
import { domainEventHandlers } from './domain-event-handlers.ts'
import { createPropagateEffects } from './effects/propagate-effects.ts'
import { startGuestVisibilityPublisher } from './guest-visibility/start-guest-visibility-publisher.ts'
import { handlers, internalHandlers } from './handlers.ts'
import { startWaitingDeliveries } from './incoming-webhooks/start-waiting-deliveries.ts'
import type { Context } from './kernel/context.ts'
import { createMessageStore } from './messages/groups/message-store.ts'
import { createTopicTargets } from './messages/groups/topic-targets.ts'
import { startIdempotencyKeyCleanup } from './messages/idempotency-key-cleanup.ts'
import { startMissedMessageDecisions } from './missed-messages/start-decisions.ts'
import { startMissedMessageHandOver } from './missed-messages/start-hand-over.ts'
import { startPushHandOver } from './missed-messages/start-push-hand-over.ts'
import { startPushRemovals } from './missed-messages/start-push-removals.ts'
import { createProjectionReader } from './projections/create-projection-reader.ts'
import { knownGroups } from './projections/group-projection.ts'
import { projectionOwners } from './projections/projection-owners.ts'
import { startFullMemberUpdates } from './projections/start-full-member-updates.ts'
import { knownUsers } from './projections/user-projection.ts'
import { createRenderer } from './rendering/renderer.ts'
import { startRetention } from './retention/start-retention.ts'
import { startDelivery } from './scheduled-messages/start-delivery.ts'
import { startSearchIndexer } from './search/search-indexer.ts'
import { createSearches } from './search/searches.ts'
import { createWebhookClient } from './webhooks/post-to-webhook.ts'
import { startWebhookCalls } from './webhooks/start-webhook-calls.ts'

/** After this time it serves anyway: requests that need recent changes of others are refused. */
const LEASE_WAIT_MS = 5_000
/** Changes of groups wait while users is asked whether a permission may name them. */
const GROUP_CHECK_TIMEOUT_MS = 2_000

/** Opens everything, top to bottom. `close` undoes it, bottom to top. */
export async function createService(
  config: Config,
  log: Logger,
  overrides: Partial<Context> = {},
): Promise<{ port: number; context: Context; close: () => Promise<void> }> {
  return openService(config, log, async (opening) => {
    const { closers, tls } = opening
    const metrics = createMetrics('messaging')
    const call = createInternalClient(
      { users: config.USERS_URL, realm: config.REALM_URL },
      createInternalTokenSource('messaging', config.INTERNAL_PRIVATE_KEY),
      tls,
    )
    const publish = publisherOf('messaging')

    const { db, broker, topology, relay } = openOutbox(opening, config, { source: 'messaging', metrics })
    const fleeting = createPublisher(broker, topology.exchange)
    const publisher = closers.add('publisher', fleeting, (opened) => opened.close())
    const visibilityPublisher = startGuestVisibilityPublisher({ db, call, log })
    const guestVisibility = closers.add('guest visibility publisher', visibilityPublisher, (running) =>
      running.stop(),
    )
    const owners = projectionOwners({ caches: () => projections.caches, guestVisibility })
    const followers = owners.map((owner) => followOwner({ db, call, log, owner }))
    const lease = await openCacheLease(opening, config, { followers, metrics })
    const projections = createProjectionReader(db, call, lease)
    const projectionReplay = openProjections(opening, {
      ...{ db, call, broker, topology, metrics, owners, lease },
      handlers: domainEventHandlers(publish, () => new Date()),
    })
    const blobs = closers.add(
      'blob store',
      await openBlobStore(config, withPublicAuthorities(tls)),
      (store) => store.close(),
    )
    const deletion = startBlobDeletion(db, blobs, log)
    const blobDeletion = closers.add('blob deletion', deletion, (running) => running.stop())
    closers.add('search keeper', startSearchIndexer(db, log), (running) => running.stop())
    closers.add('traffic counter', startTrafficCounter(db, log), (running) => running.stop())

    const renderer = closers.add('renderer', createRenderer(), (opened) => opened.close())
    let calling: Loop | undefined
    let postingWaiting: Loop | undefined
    let removing: ReturnType<typeof startPushRemovals> | undefined
    const context: DigestContext = {
      db,
      projections,
      projectionReplay,
      applyUser: async (tx, user) => void (await applyRecords(tx, knownUsers, [user])),
      loadMissingUsers: async (realmId) => {
        for (const projection of [knownUsers, knownGroups])
          await loadProjection({ db, call }, projection, { realmId })
      },
      renderer,
      searches: createSearches(db, config.DATABASE_POOL_MAX),
      topicTargets: createTopicTargets(db, config.DATABASE_POOL_MAX),
      findTopicNews: createTopicNewsFinder(db),
      messages: createMessageStore(db, config.DATABASE_POOL_MAX, metrics),
      publish,
      publisher,
      now: () => new Date(),
      blobs,
      blobDeletion,
      guestVisibility,
      checkGroupSettings: async (realm_id, values) => {
        const timeoutMs = GROUP_CHECK_TIMEOUT_MS
        await call(internal.users.checkGroupSettings, { realm_id, values: [...values] }, { timeoutMs })
      },
      createIncomingWebhook: ({ realmId, ownerId, fullName, integration }) =>
        call(internal.users.createIncomingWebhook, {
          ...{ realm_id: realmId, owner_id: ownerId, full_name: fullName, integration },
        }),
      propagateEffects: createPropagateEffects({ call, guestVisibility, log }),
      webhookCalls: { wake: () => calling?.wake() },
      waitingDeliveries: { wake: () => postingWaiting?.wake() },
      pushRemovals: { note: (userId) => removing?.note(userId) },
      maxWaitingDeliveries: config.MAX_WAITING_DELIVERIES,
      // All replicas of messaging have this key, and nobody else.
      temporaryUrls: createTemporaryUrls(config.INTERNAL_PRIVATE_KEY),
      externalHost: config.EXTERNAL_HOST,
      uploadQuotaBytes: config.UPLOAD_QUOTA_MIB === null ? null : config.UPLOAD_QUOTA_MIB * 1024 * 1024,
      ...overrides,
    }
    closers.add('idempotency key cleanup', startIdempotencyKeyCleanup(db, context.now, log), (loop) =>
      loop.stop(),
    )
    const unused = startUnusedFileDeletion(context, log)
    closers.add('unused file deletion', unused, (running) => running.stop())
    const activity = startActivityUpdates(context, log)
    closers.add('activity of channels', activity, (running) => running.stop())
    const fullMembers = startFullMemberUpdates(context, log)
    closers.add('channels of full members', fullMembers, (running) => running.stop())
    closers.add('message retention', startRetention(context, log), (running) => running.stop())
    const delivery = startDelivery(context, metrics, log)
    closers.add('scheduled messages', delivery, (running) => running.stop())
    const post = createWebhookClient({ allowsPrivate: config.WEBHOOKS_TO_PRIVATE_ADDRESSES, tls })
    const retryDelaysMs = config.WEBHOOK_RETRY_DELAYS.map((seconds) => seconds * 1_000)
    calling = startWebhookCalls(context, { call, post, retryDelaysMs }, metrics, log)
    closers.add('outgoing webhooks', calling, (running) => running.stop())
    postingWaiting = startWaitingDeliveries(context, metrics, log)
    closers.add('waiting webhook deliveries', postingWaiting, (running) => running.stop())
    const pushHandOver = startPushHandOver(context, call, metrics, log)
    closers.add('notifications of devices', pushHandOver, (running) => running.stop())
    removing = startPushRemovals(db, log, pushHandOver.wake)
    closers.add('removals from devices', removing, (running) => running.stop())
    const decisions = startMissedMessageDecisions(db, call, metrics, log, pushHandOver.wake)
    closers.add('missed message decisions', decisions, (running) => running.stop())
    const handOver = startMissedMessageHandOver(context, call, metrics, log)
    closers.add('missed message mails', handOver, (running) => running.stop())
    // Optional, because without RabbitMQ every request is answered and events wait in the outbox, and without
    // Redis users and realm are polled first.
    const probes = [
      postgresProbe(db),
      { ...rabbitmqProbe(broker), isOptional: true },
      relayProbe(relay),
      { ...lease.probe, isOptional: true },
    ]
    const api = {
      owner: 'messaging',
      endpoints: endpoints.messaging,
      internalEndpoints: internal.messaging,
      handlers,
      internalHandlers,
      context,
      metrics,
      lease,
      checkChannels,
    } as const
    await lease.untilValid(LEASE_WAIT_MS)
    const http = await serveApi(opening, config, api, { probes })
    return { port: http.port, context }
  })
}
