import { openBlobStore } from '@tms/blob-store'
import { endpoints, internal } from '@tms/contracts'
import {
  createInternalClient,
  createInternalTokenSource,
  createMetrics,
  createPublisher,
  type Logger,
  type Loop,
  openCacheLease,
  openOutbox,
  openService,
  postgresProbe,
  publisherOf,
  rabbitmqProbe,
  relayProbe,
  serveApi,
  startProjectionConsumer,
  startProjectionReplay,
  withPublicAuthorities,
} from '@tms/service-kit'
import { startBlobDeletion } from './attachments/delete-blobs.ts'
import { startUnusedFileDeletion } from './attachments/delete-unused-files.ts'
import { createTemporaryUrls } from './attachments/temporary-urls.ts'
import { startTrafficCounter } from './channels/weekly-traffic.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createDirectory } from './directory/create-directory.ts'
import { followSources } from './directory/follow-sources.ts'
import { loadMissingUsers } from './directory/load-missing-users.ts'
import { startProjectionLoader } from './directory/load-projections.ts'
import { messagingProjections } from './directory/projection-specs.ts'
import { publishPendingChanges } from './directory/publish-pending-changes.ts'
import { projectionHandlers } from './directory/reactions.ts'
import { startGuestVisibilityPublisher } from './guest-visibility/start-telling.ts'
import { handlers, internalHandlers } from './handlers.ts'
import { startForgettingSentKeys } from './messages/forget-sent-keys.ts'
import { createBringEffects } from './other-services/bring-effects.ts'
import { createRenderer } from './rendering/renderer.ts'
import { startRetention } from './retention/start-retention.ts'
import { startDelivery } from './scheduled-messages/start-delivery.ts'
import { startSearchKeeper } from './search/search-keeper.ts'
import { createSearches } from './search/searches.ts'
import { createWebhookClient } from './webhooks/post-to-webhook.ts'
import { startCalling } from './webhooks/start-calling.ts'

/** By then it serves all the same: what needs to know of recent changes is refused. */
const LEASE_WAIT_MS = 5_000

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
    const consumer = startProjectionConsumer({
      broker,
      queue: topology.projections,
      db,
      log,
      metrics,
      reactions: projectionHandlers(publish, () => new Date()),
    })
    const projection = closers.add('projection consumer', consumer, (running) => running.stop())
    const telling = startGuestVisibilityPublisher({ db, call, log })
    const guestVisibility = closers.add('telling of guests’ sight', telling, (running) => running.stop())
    const followers = followSources({
      db,
      call,
      publish,
      caches: {
        dropUsers: (changes) => directory.caches.dropUsers(changes),
        dropRealms: (realmIds) => directory.caches.dropRealms(realmIds),
        dropAll: () => directory.caches.dropAll(),
      },
      log,
      guestVisibility: () => guestVisibility,
    })
    const lease = await openCacheLease(opening, config, { followers, metrics })
    const directory = createDirectory(db, call, lease)
    const onLoaded = () => directory.caches.dropAll()
    const loader = startProjectionLoader({ db, call, publish, log, onLoaded })
    closers.add('projection loader', loader, (running) => running.stop())
    const replay = startProjectionReplay({
      broker,
      queue: topology.projections,
      db,
      log,
      consumer: projection,
      kinds: messagingProjections(call),
      settle: async () => {
        await publishPendingChanges(db, publish)
        await lease.refreshAll()
      },
    })
    const projectionReplay = closers.add('projection replay', replay, (running) => running.stop())
    const blobs = closers.add(
      'blob store',
      await openBlobStore(config, withPublicAuthorities(tls)),
      (store) => store.close(),
    )
    const deletion = startBlobDeletion(db, blobs, log)
    const blobDeletion = closers.add('blob deletion', deletion, (running) => running.stop())
    closers.add('search keeper', startSearchKeeper(db, log), (running) => running.stop())
    closers.add('traffic counter', startTrafficCounter(db, log), (running) => running.stop())

    const renderer = closers.add('renderer', createRenderer(), (opened) => opened.close())
    let calling: Loop | undefined
    const context: Context = {
      db,
      directory,
      projectionReplay,
      loadMissingUsers: (realmId) => loadMissingUsers(db, call, realmId),
      renderer,
      searches: createSearches(db, config.DATABASE_POOL_MAX),
      publish,
      relay,
      publisher,
      now: () => new Date(),
      blobs,
      blobDeletion,
      guestVisibility,
      bringEffects: createBringEffects({ call, telling: guestVisibility, log }),
      webhookCalls: { wake: () => calling?.wake() },
      // Every replica has this key, and nobody else.
      temporaryUrls: createTemporaryUrls(config.INTERNAL_PRIVATE_KEY),
      externalHost: config.EXTERNAL_HOST,
      uploadQuotaBytes: config.UPLOAD_QUOTA_MIB === null ? null : config.UPLOAD_QUOTA_MIB * 1024 * 1024,
      ...overrides,
    }
    closers.add('forgetting sent keys', startForgettingSentKeys(db, context.now, log), (loop) => loop.stop())
    const unused = startUnusedFileDeletion(context, log)
    closers.add('unused file deletion', unused, (running) => running.stop())
    closers.add('message retention', startRetention(context, log), (running) => running.stop())
    const delivery = startDelivery(context, metrics, log)
    closers.add('scheduled messages', delivery, (running) => running.stop())
    const post = createWebhookClient({ allowsPrivate: config.WEBHOOKS_TO_PRIVATE_ADDRESSES, tls })
    const retryDelaysMs = config.WEBHOOK_RETRY_DELAYS.map((seconds) => seconds * 1_000)
    calling = startCalling(context, { call, post, retryDelaysMs }, metrics, log)
    closers.add('outgoing webhooks', calling, (running) => running.stop())
    // Without RabbitMQ every request is answered as ever; events wait in the outbox. Without Redis users and realm are asked first.
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
    } as const
    await lease.untilValid(LEASE_WAIT_MS)
    const http = await serveApi(opening, config, api, { probes })
    return { port: http.port, context }
  })
}
