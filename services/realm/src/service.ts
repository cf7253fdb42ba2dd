import { PrismaPg } from '@prisma/adapter-pg'
import { openBlobStore } from '@tms/blob-store'
import { endpoints, fullExportRoles, internal } from '@tms/contracts'
import {
  type ClientTls,
  createInternalClient,
  createInternalStreams,
  createInternalTokenSource,
  createMetrics,
  createPrismaTransact,
  deleteOrganizationStream,
  type Logger,
  openChangeAnnouncer,
  openOutbox,
  openService,
  postgresProbe,
  rabbitmqProbe,
  relayProbe,
  serveApi,
  withPublicAuthorities,
} from '@tms/service-kit'
import type { DeletionDelay } from './activity/deletion-delay.rules.ts'
import { startAuditConsumer } from './audit-log/audit-consumer.ts'
import { startAuditRetention } from './audit-log/audit-retention.ts'
import { createBigBlueButton } from './calls/big-blue-button.ts'
import type { CallContext } from './calls/call-context.ts'
import { createCallLinks } from './calls/call-links.ts'
import { loadChanges } from './changes/load-changes.ts'
import type { Config } from './config.ts'
import { startDeleter } from './deletion/deleter.ts'
import { createEmojiDocument, type EmojiDataContext } from './emoji/get-emoji-data.ts'
import type { ExportContext } from './exports/export-context.ts'
import { createExportLinks } from './exports/export-link.ts'
import { startExporter } from './exports/exporter.ts'
import { PrismaClient } from './generated/prisma/client.ts'
import { handlers, internalHandlers } from './handlers.ts'
import { mobilePushOf } from './kernel/realms/push-state.ts'
import { startArchivedChannelRepair } from './realms/repair-archived-channels.ts'
import { startHiddenMemberRepair } from './realms/repair-hidden-members.ts'

/**
 * How long a transaction waits for a connection, as all queries do, and how long it may take: less fails what a busy
 * moment delays.
 */
const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 15_000 }

/** What the service gives its handlers. */
interface ServiceContext extends CallContext, ExportContext, EmojiDataContext {}

/** Opens everything, top to bottom. `close` closes it, bottom to top. */
export async function createService(config: Config, log: Logger) {
  return openService(config, log, async (opening) => {
    const { closers, tls } = opening
    const metrics = createMetrics('realm')
    const { db, broker, topology, relay } = openOutbox(opening, config, { source: 'realm', metrics })
    const prisma = closers.add(
      'prisma',
      new PrismaClient({ adapter: new PrismaPg(db), transactionOptions: TRANSACTION_LIMITS }),
      (client) => client.$disconnect(),
    )
    const announcer = await openChangeAnnouncer(opening, config, {
      source: 'realm',
      db,
      load: (changes) => loadChanges(prisma, changes),
      metrics,
    })
    const token = createInternalTokenSource('realm', config.INTERNAL_PRIVATE_KEY)
    const peers = { users: config.USERS_URL, messaging: config.MESSAGING_URL }
    const context: ServiceContext = {
      prisma,
      db,
      transact: createPrismaTransact({ prisma, db, announcer }),
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
      deletionDelayDays: deletionDelayOf(config),
      wakeDeleter: () => deleter.wake(),
      minAuditRetentionDays: config.MIN_AUDIT_LOG_RETENTION_DAYS,
      wakeAuditRetention: () => auditRetention.wake(),
      deleteOrganizationStream: (realmId) => deleteOrganizationStream(broker, config.NAMESPACE, realmId),
      uploadQuotaMib: config.UPLOAD_QUOTA_MIB,
      signOn: config.SIGN_ON,
      mobilePush: mobilePushOf(config.MOBILE_PUSH),
      sendsDigests: config.DIGESTS,
      webPushPublicKey: config.WEB_PUSH_PUBLIC_KEY,
      calls: callsOf(config, tls),
    }
    const auditConsumer = startAuditConsumer({ broker, queue: topology.audit, db, log, metrics })
    closers.add('audit log', auditConsumer, (started) => started.stop())
    const auditRetention = closers.add(
      'audit log retention',
      startAuditRetention({ db, minDays: config.MIN_AUDIT_LOG_RETENTION_DAYS, log }),
      (started) => started.stop(),
    )
    const exporter = closers.add('exporter', startExporter({ context, log }), (started) => started.stop())
    const deleter = closers.add('deleter', startDeleter({ context, log, metrics }), (started) =>
      started.stop(),
    )
    const channelRepair = await startArchivedChannelRepair(context, log)
    closers.add('archived channel repair', channelRepair, (started) => started.stop())
    const memberRepair = await startHiddenMemberRepair(context, log)
    closers.add('hidden member repair', memberRepair, (started) => started.stop())
    // Without RabbitMQ every request is answered as usual; events wait in the outbox. Without Redis nothing can be
    // changed.
    const probes = [
      postgresProbe(db),
      { ...rabbitmqProbe(broker), isOptional: true },
      relayProbe(relay),
      { ...announcer.probe, isOptional: true },
    ]
    const api = {
      owner: 'realm',
      endpoints: endpoints.realm,
      internalEndpoints: internal.realm,
      handlers,
      internalHandlers,
      context,
      metrics,
      announcer,
    } as const
    const http = await serveApi(opening, config, api, { probes })
    return { port: http.port, context }
  })
}

/** Both variables are set, or neither. */
function callsOf(
  { BIG_BLUE_BUTTON_URL: url, BIG_BLUE_BUTTON_SECRET: secret }: Config,
  tls: ClientTls,
): CallContext['calls'] {
  if (url === undefined || secret === undefined) return null
  return { server: createBigBlueButton({ url, secret, tls }), links: createCallLinks(secret) }
}

/** The maximum is never below the minimum. */
function deletionDelayOf({
  MIN_DELETION_DELAY_DAYS: min,
  MAX_DELETION_DELAY_DAYS: max,
}: Config): DeletionDelay {
  return { min, max: max === null ? null : Math.max(min, max) }
}
