import { PrismaPg } from '@prisma/adapter-pg'
import { openBlobStore } from '@tms/blob-store'
import { fullExportRoles } from '@tms/contracts'
import { allowOnlyWebPictures } from '@tms/pictures'
import {
  Closers,
  clientTlsOf,
  connectBroker,
  createApi,
  createInternalClient,
  createInternalStreams,
  createInternalTokenSource,
  createMetrics,
  createPool,
  declareTopology,
  type Logger,
  postgresProbe,
  rabbitmqProbe,
  serverTlsOf,
  startHttpServer,
  startOutboxRelay,
  topologyOf,
  withPublicAuthorities,
} from '@tms/service-kit'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createEmojiDocument } from './emoji/get-emoji-data.ts'
import { createExportLinks } from './exports/export-link.ts'
import { startExporter } from './exports/exporter.ts'
import { PrismaClient } from './generated/prisma/client.ts'
import { handlers, internalHandlers } from './handlers.ts'

/** How long a transaction waits for a connection, as everything else does, and may take: less refuses what a busy moment delays. */
const PATIENCE = { maxWait: 5_000, timeout: 15_000 }

/** Opens everything, top to bottom. `close` undoes it, bottom to top. */
export async function createService(config: Config, log: Logger) {
  const closers = new Closers(log)
  try {
    const tls = clientTlsOf(config)
    allowOnlyWebPictures()
    const metrics = createMetrics('realm')
    const topology = topologyOf(config.NAMESPACE)
    const db = closers.add(
      'postgres',
      createPool(config.DATABASE_URL, config.DATABASE_POOL_MAX, log, tls),
      (pool) => pool.end(),
    )
    const prisma = closers.add(
      'prisma',
      new PrismaClient({ adapter: new PrismaPg(db), transactionOptions: PATIENCE }),
      (client) => client.$disconnect(),
    )
    const broker = closers.add(
      'rabbitmq',
      connectBroker(config.RABBITMQ_URL, log, (channel) => declareTopology(channel, topology), tls),
      (connection) => connection.close(),
    )
    const relay = closers.add(
      'outbox relay',
      startOutboxRelay({ source: 'realm', db, broker, exchange: topology.exchange, log, metrics }),
      (started) => started.stop(),
    )
    const token = createInternalTokenSource('realm', config.INTERNAL_PRIVATE_KEY)
    const peers = { users: config.USERS_URL, messaging: config.MESSAGING_URL }
    const context: Context = {
      prisma,
      db,
      transact: async (work) => {
        const result = await prisma.$transaction(work)
        relay.wake()
        return result
      },
      call: createInternalClient(peers, token, tls),
      streams: createInternalStreams(peers, token, tls),
      blobs: closers.add('blob store', await openBlobStore(config, withPublicAuthorities(tls)), (store) =>
        store.close(),
      ),
      emojiDocument: createEmojiDocument(),
      exportLinks: createExportLinks(config.INTERNAL_PRIVATE_KEY),
      wakeExporter: () => exporter.wake(),
      fullExportRole: fullExportRoles[config.FULL_EXPORTS],
      maxExportsPerWeek: config.MAX_EXPORTS_PER_WEEK,
      spoolFolder: config.UPLOADS_SPOOL_DIR,
      now: () => new Date(),
      externalHost: config.EXTERNAL_HOST,
      externalUrl: `${config.EXTERNAL_SCHEME}://${config.EXTERNAL_HOST}`,
      uploadQuotaMib: config.UPLOAD_QUOTA_MIB,
    }
    const exporter = closers.add('exporter', startExporter({ context, log }), (started) => started.stop())
    const api = createApi({
      owner: 'realm',
      handlers,
      internalHandlers,
      context,
      userPublicKey: config.JWT_PUBLIC_KEY,
      internalPublicKey: config.INTERNAL_PUBLIC_KEY,
      log,
      metrics,
    })
    // Without RabbitMQ every request is answered as ever; events wait in the outbox.
    const probes = [postgresProbe(db), { ...rabbitmqProbe(broker), isOptional: true }]
    const http = closers.add(
      'http',
      await startHttpServer({
        host: config.HOST,
        port: config.PORT,
        tls: serverTlsOf(config),
        drainMs: config.DRAIN_SECONDS * 1000,
        log,
        metrics,
        probes,
        api,
      }),
      (server) => server.close(),
    )
    closers.add('leave', http, (server) => server.leave())
    return { port: http.port, context, close: () => closers.closeAll() }
  } catch (err) {
    await closers.closeAll()
    throw err
  }
}
