import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { openBlobStore } from '@tms/blob-store'
import { endpoints, internal } from '@tms/contracts'
import {
  closeRedis,
  connectRedis,
  createConcurrencyLimit,
  createInternalClient,
  createInternalStreams,
  createInternalTokenSource,
  createMetrics,
  createPrismaTransact,
  createPublisher,
  followOwner,
  type Logger,
  type Loop,
  openCacheLease,
  openChangeAnnouncer,
  openOutbox,
  openProjections,
  openService,
  postgresProbe,
  rabbitmqProbe,
  redisProbe,
  relayProbe,
  serveApi,
  serverTlsOf,
  withPublicAuthorities,
} from '@tms/service-kit'
import { composeQueuedAnnouncement } from './announcements/compose-queued-announcement.ts'
import { deleteAvatarFiles } from './avatars/set-avatar.ts'
import { startChannelNameRepair } from './bots/repair-channel-names.ts'
import { loadChanges } from './changes/load-changes.ts'
import type { Config } from './config.ts'
import { startPasswordAttemptCleanup } from './credentials/clean-up-password-attempts.ts'
import { RefusalCounts } from './credentials/refusal-counts.ts'
import { renewDigest } from './digests/renew-digest.ts'
import { startDigests } from './digests/start-digests.ts'
import { createDirectory } from './directory/directory.ts'
import { openSettings } from './directory/directory-settings.ts'
import { startDirectorySyncs } from './directory/start-directory-syncs.ts'
import { startExpiredCleanup } from './expiry/clean-up-expired.ts'
import { createLogOutIndex } from './external-sign-on/log-out-index.ts'
import { createOneTimeStore } from './external-sign-on/one-time-store.ts'
import { openTokenIssuers } from './external-sign-on/token-issuer.ts'
import { PrismaClient } from './generated/prisma/client.ts'
import { startFullMemberUpdates } from './groups/update-full-members.ts'
import { handlers, internalHandlers } from './handlers.ts'
import { remindOfInvitation } from './invitations/remind-of-invitation.ts'
import { registerJobMetrics } from './jobs/job-metrics.ts'
import { type JobWork, startJobs } from './jobs/run-jobs.ts'
import { createPasswordStrengthCheck } from './kernel/credentials/password-strength.rules.ts'
import { createPasswords } from './kernel/credentials/passwords.ts'
import { findReplyAddress } from './kernel/mails/reply-address.queries.ts'
import { createReplyAddresses } from './kernel/mails/reply-addresses.ts'
import { createUnsubscribeLinks } from './kernel/mails/unsubscribe-links.ts'
import { createPresenceAccounts } from './kernel/presence/presence-accounts.ts'
import { readSealKeys } from './kernel/pushes/seal.ts'
import { createRealmReader } from './kernel/realms/realm-reader.ts'
import { openMailListener } from './mail-replies/open-mail-listener.ts'
import { receiveReply } from './mail-replies/receive-reply.ts'
import { registerReplyMetrics } from './mail-replies/reply-metrics.ts'
import { createReplyReader } from './mail-replies/reply-reader.ts'
import { registerMailMetrics } from './mails/mail-metrics.ts'
import { openMailTransport } from './mails/mail-transport.ts'
import { deliverMail, sendMail } from './mails/send-mail.ts'
import { renewMail } from './missed-messages/renew-mail.ts'
import { createPresenceStore } from './presence/redis-presence-store.ts'
import { removeProfileValues } from './profiles/remove-profile-values.ts'
import { openProviders } from './providers/open-providers.ts'
import { startRelayRemovals } from './push-relay/removals.ts'
import { startReports } from './push-relay/report.ts'
import { startSealedRegistrations } from './push-relay/sealed-registrations.ts'
import { openPushRelay, openPushSenders } from './pushes/open-push-senders.ts'
import { relayTools } from './pushes/relay/relay-tools.ts'
import { startPushDeliveries } from './pushes/start-push-deliveries.ts'
import { onRealmDeleted } from './realm-deletion/delete-realm-data.ts'
import { onProfileFieldsChanged } from './realms/profile-fields-changed.ts'
import { projectRealms } from './realms/project-realms.ts'
import type { RegisterStateContext } from './register-state/register-state-context.ts'
import { createSystemGroupWriter } from './register-state/system-group-texts.ts'
import { createTextDeduplicator } from './register-state/text-deduplicator.ts'
import { createSessionStore } from './sessions/redis-session-store.ts'
import type { CheckContext } from './sign-on-check/check-sign-on.ts'
import { createUserListCache } from './user-list-cache/user-list-cache.ts'

type ServiceContext = RegisterStateContext & CheckContext

/** Wait for a connection, like everywhere else, and duration of a transaction; smaller refuses work in busy moments. */
const TRANSACTION_OPTIONS = { maxWait: 5_000, timeout: 15_000 }

/** Concurrent register states: each takes one core and a connection. */
const STATE_READ_LIMIT = {
  maxAtOnce: 4,
  maxWaiting: 1_000,
  refusal: 'Too many are registering at once; try again shortly',
}

/** Endpoints that change nothing that others cache: they work while changes can't be announced. */
const unannounced: ReadonlySet<string> = new Set<keyof typeof endpoints.users>([
  ...([
    'updatePresence',
    'fetchApiKey',
    'devFetchApiKey',
    'markOnboardingStep',
    'testPushNotification',
    'testSealedPush',
  ] as const),
  ...(['updateBotStorage', 'removeBotStorage'] as const),
  ...(['createSavedSnippet', 'updateSavedSnippet', 'deleteSavedSnippet'] as const),
  ...(['createScimToken', 'deleteScimToken'] as const),
  ...(['submitJoinPage', 'submitOpenJoinPage', 'submitPasswordResetPage'] as const),
  ...(['submitLogInPage', 'submitAccountsLogInPage', 'submitLogOutPage', 'submitSessionsForm'] as const),
])

/** Opens everything, top to bottom. `close` undoes it, bottom to top. */
export async function createService(config: Config, log: Logger, overrides: Partial<ServiceContext> = {}) {
  return openService(config, log, async (opening) => {
    const { closers, tls } = opening
    const metrics = createMetrics('users')
    const { db, broker, topology, relay } = openOutbox(opening, config, { source: 'users', metrics })
    const prisma = closers.add(
      'prisma',
      new PrismaClient({ adapter: new PrismaPg(db), transactionOptions: TRANSACTION_OPTIONS }),
      (client) => client.$disconnect(),
    )
    const publisher = closers.add('publisher', createPublisher(broker, topology.exchange), (opened) =>
      opened.close(),
    )
    const redis = closers.add('redis', connectRedis(config.REDIS_URL, log, { tls }), closeRedis)
    const call = createInternalClient(
      { realm: config.REALM_URL, messaging: config.MESSAGING_URL },
      createInternalTokenSource('users', config.INTERNAL_PRIVATE_KEY),
      tls,
    )
    const streams = createInternalStreams(
      { messaging: config.MESSAGING_URL },
      createInternalTokenSource('users', config.INTERNAL_PRIVATE_KEY),
      tls,
    )
    const announcer = await openChangeAnnouncer(opening, config, {
      source: 'users',
      db,
      load: (changes) => loadChanges(db, changes),
      metrics,
    })
    const { knownRealms, owner } = projectRealms({
      realms: () => realms,
      announcer,
      removeProfileValues: (realmId) => removeProfileValues(context, realmId),
    })
    const followers = [followOwner({ db, call, log, owner })]
    const lease = await openCacheLease(opening, config, { followers, metrics })
    const realms = createRealmReader({ db, call, knownRealms, externalHost: config.EXTERNAL_HOST, lease })
    const projectionReplay = openProjections(opening, {
      ...{ db, call, broker, topology, metrics, lease, owners: [owner] },
      handlers: [onProfileFieldsChanged, onRealmDeleted],
    })
    const directories = openSettings(config.SIGN_ON).map((settings) =>
      createDirectory(settings, withPublicAuthorities(tls)),
    )
    const externalUrl = `${config.EXTERNAL_SCHEME}://${config.EXTERNAL_HOST}`
    const transport = closers.add(
      'mail',
      openMailTransport(config.MAIL_URL, withPublicAuthorities(tls)),
      (opened) => opened.close(),
    )
    const mailer = { transport, from: config.MAIL_FROM, log, count: registerMailMetrics(metrics) }
    let pushing: Loop | undefined
    let relayRemovals: Loop | undefined
    let sealedRegistrations: Loop | undefined
    let relayReports: ReturnType<typeof startReports> | undefined
    const pushRelay = openPushRelay(config, withPublicAuthorities(tls), () => context.now())
    const oneTime = createOneTimeStore(redis, config.NAMESPACE)
    const context: ServiceContext = {
      prisma,
      db,
      transact: createPrismaTransact({ prisma, db, announcer }),
      realms,
      projectionReplay,
      passwords: createPasswords(),
      checkPasswordStrength: createPasswordStrengthCheck(),
      hasDevelopmentLogin: config.DEVELOPMENT_LOGIN,
      signOn: config.SIGN_ON,
      log,
      directories: new Map(directories.map((directory) => [directory.name, directory])),
      externalHost: config.EXTERNAL_HOST,
      externalUrl,
      ...(await openProviders(config.SIGN_ON, withPublicAuthorities(tls), {
        entityId: externalUrl,
        answerUrl: `${externalUrl}/complete/saml/`,
        claim: oneTime.claim,
        now: () => context.now(),
      })),
      oneTime,
      logOuts: createLogOutIndex(redis, config.NAMESPACE),
      tokenIssuers: await openTokenIssuers(config.SIGN_ON),
      outwardTls: withPublicAuthorities(tls),
      refusals: new RefusalCounts(),
      passwordAttempts: {
        max: config.PASSWORD_ATTEMPTS_MAX,
        windowSeconds: config.PASSWORD_ATTEMPTS_WINDOW_SECONDS,
      },
      invitationLimits: {
        validityMinutes: config.INVITATION_LINK_VALIDITY_MINUTES,
        perDay: config.INVITES_PER_DAY,
        perDayOfNewRealms: config.INVITES_PER_DAY_OF_NEW_REALMS,
        minAgeDays: config.INVITES_MIN_USER_AGE_DAYS,
      },
      mailLimits: {
        perHour: config.MAIL_REQUESTS_PER_HOUR,
        perDay: config.MAIL_REQUESTS_PER_DAY,
        perIpPerDay: config.MAIL_REQUESTS_PER_IP_PER_DAY,
      },
      mailsDigests: config.DIGESTS,
      missedMessageMailsPerDay: config.MISSED_MESSAGE_MAILS_PER_DAY,
      // All replicas of users have this key, and nobody else.
      unsubscribeLinks: createUnsubscribeLinks(config.INTERNAL_PRIVATE_KEY),
      replyAddresses:
        config.MAIL_REPLY_ADDRESS === null ? null : createReplyAddresses(config.MAIL_REPLY_ADDRESS),
      mailFrom: config.MAIL_FROM,
      uploadToMessaging: streams.upload,
      deliverMail: (mail) => deliverMail(mailer, mail, `direct-${randomUUID()}`),
      pushes: {
        senders: await openPushSenders(
          config,
          withPublicAuthorities(tls),
          () => context.now(),
          pushRelay && relayTools(() => context, pushRelay, log),
        ),
        sealKeys: config.PUSH_REGISTRATION_KEY === null ? [] : readSealKeys(config.PUSH_REGISTRATION_KEY),
        relay: pushRelay,
        relayed: {
          wake: () => relayRemovals?.wake(),
          wakeRegistrations: () => sealedRegistrations?.wake(),
          report: () => relayReports?.hasten(),
        },
        perHour: config.PUSHES_PER_HOUR,
        allowsPrivate: config.PUSHES_TO_PRIVATE_ADDRESSES,
        deliveries: { wake: () => pushing?.wake() },
      },
      webhooks: { allowsPrivate: config.WEBHOOKS_TO_PRIVATE_ADDRESSES },
      call,
      presence: createPresenceStore(redis, config.NAMESPACE),
      presenceAccounts: createPresenceAccounts(db),
      sessions: createSessionStore(redis, config.NAMESPACE),
      userListCache: createUserListCache(db),
      writeSystemGroups: createSystemGroupWriter(),
      deduplicateText: createTextDeduplicator(),
      limitStateReads: createConcurrencyLimit(STATE_READ_LIMIT),
      publisher,
      blobs: closers.add('blob store', await openBlobStore(config, withPublicAuthorities(tls)), (store) =>
        store.close(),
      ),
      now: () => new Date(),
      ...overrides,
    }
    if (config.DEVELOPMENT_LOGIN)
      log.warn('DEVELOPMENT_LOGIN is on: API keys can be fetched without a password')
    const work: JobWork = {
      send_mail: async (queued, attempt) => {
        const { missedBy } = queued
        const mail = missedBy?.isDigest
          ? await renewDigest(context, queued, missedBy)
          : await renewMail(context, queued, attempt)
        if (mail) await sendMail(mailer, mail, attempt.jobId)
      },
      send_announcement: async (payload, { jobId }) => {
        const mail = await composeQueuedAnnouncement(context, payload)
        if (mail) await sendMail(mailer, mail, jobId)
      },
      remind_of_invitation: (payload) => remindOfInvitation(context, payload),
      delete_avatar: (avatar) => deleteAvatarFiles(context, avatar),
      remove_profile_values: ({ realm_id }) => removeProfileValues(context, realm_id),
    }
    closers.add('jobs', startJobs(db, work, log), (jobs) => jobs.stop())
    registerJobMetrics(db, metrics)
    closers.add('push services', context.pushes.senders, (senders) => {
      for (const sender of new Set(Object.values(senders))) sender.close()
    })
    pushing = startPushDeliveries(context, metrics, log)
    closers.add('push deliveries', pushing, (running) => running.stop())
    if (config.DIGESTS)
      closers.add('digests', startDigests(context, metrics, log), (running) => running.stop())
    if (pushRelay) {
      relayRemovals = startRelayRemovals(context, pushRelay, log)
      closers.add('removals at the push relay', relayRemovals, (running) => running.stop())
      sealedRegistrations = startSealedRegistrations(context, pushRelay, log)
      closers.add('registrations at the push relay', sealedRegistrations, (running) => running.stop())
      relayReports = startReports(context, pushRelay, log)
      closers.add('reports to the push relay', relayReports, (running) => running.stop())
    }
    closers.add('password attempt cleanup', startPasswordAttemptCleanup(context, log), (loop) => loop.stop())
    closers.add('expired data cleanup', startExpiredCleanup(context, log), (loop) => loop.stop())
    closers.add('full member updates', startFullMemberUpdates(context, log), (loop) => loop.stop())
    closers.add('directory syncs', startDirectorySyncs(context, log), (loop) => loop.stop())
    const channelNameRepair = await startChannelNameRepair(context, log)
    closers.add('channel name repair', channelNameRepair, (loop) => loop.stop())
    // Without RabbitMQ requests still succeed, and events wait in the outbox. Without Redis presence is unknown.
    const probes = [
      postgresProbe(db),
      { ...rabbitmqProbe(broker), isOptional: true },
      relayProbe(relay),
      { ...redisProbe(redis), isOptional: true },
    ]
    const api = {
      owner: 'users',
      endpoints: endpoints.users,
      internalEndpoints: internal.users,
      handlers,
      internalHandlers,
      context,
      metrics,
      announcer,
      unannounced,
    } as const
    const { replyAddresses } = context
    const countReply = registerReplyMetrics(metrics)
    const replyReader = createReplyReader()
    if (replyAddresses)
      closers.add(
        'mail listener',
        await openMailListener({
          ...{ host: config.HOST, port: config.MAIL_REPLY_PORT, name: new URL(externalUrl).hostname },
          ...{ tls: serverTlsOf(config), log, tokenIn: replyAddresses.tokenIn, count: countReply },
          isKnown: async (token) => (await findReplyAddress(db, token, context.now())) !== null,
          receive: (mail) => receiveReply(context, replyReader, mail),
        }),
        (listener) => listener.close(),
      )
    const http = await serveApi(opening, config, api, { probes })
    return { port: http.port, context }
  })
}
