import { internal, queueTiming } from '@tms/contracts'
import {
  connectRedis,
  createInternalClient,
  createInternalTokenSource,
  createMetrics,
  createUserTokenSigner,
  type Logger,
  openCacheLease,
  openService,
  redisProbe,
  serve,
  userTokenReuseMs,
} from '@tms/service-kit'
import type { Config } from './config.ts'
import { ConnectionGuard } from './connections/connection-guard.ts'
import type { Context } from './context.ts'
import { checkAllStreams, checkPendingPolls } from './identity/check-pending-polls.ts'
import { followRealm } from './identity/follow-realm.ts'
import { followUsers } from './identity/follow-users.ts'
import { identifyThrough } from './identity/identify-through.ts'
import { createIdentities } from './identity/identities.ts'
import { createProvisioners } from './identity/provisioners.ts'
import { createSpectators, findSpectatorRealm } from './identity/spectators.ts'
import { createGatewayMetrics } from './kernel/metrics.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import { addPages } from './pages/pages.ts'
import { usersProbes } from './probes.ts'
import { addressList } from './requests/addresses.ts'
import { isThroughProxy } from './requests/client-address.rules.ts'
import { createGatewayApi } from './serve-api.ts'
import { createForwarder, type UpstreamPoll } from './upstream/forwarder.ts'

/** Redis only counts calls: no call waits longer for it, nor for a master that is down. */
const REDIS_OPTIONS = { commandTimeoutMs: 100, failsAtOnce: true, batches: true } as const

/**
 * A connection over which nothing moves for so long is ended: longer than any poll is pending. Requests that the
 * gateway serves itself, without a `ProxiedRequest`, have no other limit.
 */
const STALLED_MS = (queueTiming.longpollTimeoutSeconds + 30) * 1000

/** Opens everything, top to bottom. `close` closes it, bottom to top. */
export async function createService(config: Config, log: Logger) {
  return openService(config, log, async (opening) => {
    const { closers, tls } = opening
    const urls = {
      users: config.USERS_URL,
      realm: config.REALM_URL,
      messaging: config.MESSAGING_URL,
      events: config.EVENTS_URL,
    }
    const registry = createMetrics('gateway')
    const pendingPolls = new Set<UpstreamPoll>()
    const metrics = createGatewayMetrics(registry, {
      pendingPolls: () => pendingPolls.size,
      pollLinks: () => forwarder.countPollLinks(),
      requestLinks: () => forwarder.countRequestLinks(),
      connections: () => guard.open,
    })
    const addressing = {
      trustsProxy: config.TRUST_PROXY,
      proxies: config.TRUSTED_PROXIES === '' ? null : addressList(config.TRUSTED_PROXIES),
      scheme: config.EXTERNAL_SCHEME,
      remoteUser: remoteUserSource(config),
    }
    const guard = new ConnectionGuard({
      maxConnections: config.MAX_CONNECTIONS,
      maxPerAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
      maxPipelined: config.MAX_PIPELINED_REQUESTS,
      addressing,
      onRefused: metrics.clientRefused,
    })
    const redis = closers.add(
      'redis',
      connectRedis(config.REDIS_URL, log, { ...REDIS_OPTIONS, tls }),
      (client) => client.disconnect(),
    )
    const limits = createRateLimits({
      redis,
      namespace: config.NAMESPACE,
      callsPerMinute: config.RATE_LIMIT_PER_MINUTE,
      anonymousCallsPerMinute: config.ANONYMOUS_CALLS_PER_MINUTE,
      failuresPerMinute: config.FAILED_LOGINS_PER_MINUTE,
      log,
      now: Date.now,
    })

    const internalToken = createInternalTokenSource('gateway', config.INTERNAL_PRIVATE_KEY)
    const call = createInternalClient(urls, internalToken, tls)
    // Over connections of its own: behind many identity lookups, the query that makes them unnecessary would come too
    // late.
    const callWithPriority = createInternalClient(urls, internalToken, tls)
    const signToken = createUserTokenSigner(config.JWT_PRIVATE_KEY)
    const identities = createIdentities({
      externalHost: config.EXTERNAL_HOST,
      identify: identifyThrough(call, monotonicNow),
      signToken,
      limits,
      lease: { isValid: () => lease.isValid(), validate: () => lease.validate() },
      metrics,
      now: monotonicNow,
    })
    const authenticatePolls = (userIds: readonly number[]) =>
      void checkPendingPolls({ userIds }, { pendingPolls, identities })
    const follower = followUsers({
      fetchChanges: (since) => callWithPriority(internal.users.listUsersChanges, { since }),
      onChanged: (changed) => {
        identities.forget(changed)
        authenticatePolls(changed.userIds)
      },
      onUnknown: () => {
        identities.forgetAll()
        void checkAllStreams({ pendingPolls, identities })
      },
    })
    const followers = [
      follower,
      followRealm({
        fetchChanges: (since) => callWithPriority(internal.realm.listRealmChanges, { since }),
        onChanged: (realmIds) => identities.forget({ userIds: [], realmIds }),
        onUnknown: () => identities.forgetAll(),
      }),
    ]
    const lease = await openCacheLease(opening, config, { followers, metrics: registry })

    const answerTimeoutMs = config.ANSWER_TIMEOUT_SECONDS * 1000
    const forwarder = createForwarder({
      urls,
      tls,
      addressing,
      metrics,
      log,
      answerTimeoutMs,
      minBytesPerSecond: config.MIN_BYTES_PER_SECOND,
      silentAfterMs: config.SILENT_REPLICA_SECONDS * 1000,
      internalToken,
      pendingPolls,
    })
    closers.add('upstream connections', forwarder, () => forwarder.close())
    const spectators = createSpectators({ findRealm: findSpectatorRealm(call), signToken })
    const provisioners = createProvisioners({
      identify: async (from, requestId) =>
        (await call(internal.users.identifyProvisioner, from, { requestId })).realm_id,
      ...{ signToken, limits },
    })
    const anonymousToken = reuseToken(() => signToken(null))
    const { MAX_HEADERS: maxHeaders } = config
    const context: Context = {
      ...{
        identities,
        spectators,
        provisioners,
        authenticatePolls,
        limits,
        forwarder,
        anonymousToken,
        addressing,
      },
      ...{ guard, metrics, log, maxHeaders, answerTimeoutMs },
    }

    const http = await serve(opening, config, {
      metrics: registry,
      probes: [...usersProbes(urls.users, tls), { ...redisProbe(redis), isOptional: true }],
      api: createGatewayApi(context),
      limits: {
        headersTimeoutMs: config.HEADERS_TIMEOUT_SECONDS * 1000,
        keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
        stalledMs: STALLED_MS,
        // One more than allowed, so that a request with too many is noticed.
        maxHeaders: maxHeaders + 1,
      },
      watch: (server) => guard.watch(server, { isTls: config.SERVE_TLS }),
      // Only for monitoring that connects directly to the process.
      showsMetrics: (request) => !isThroughProxy(request, addressing),
      extend: (app) => addPages(app, context),
      close: (server) => {
        const closed = server.close()
        forwarder.drain()
        return closed
      },
    })
    return { port: http.port }
  })
}

/** Throws if the header has no proxies that are believed, since anybody could send it. */
function remoteUserSource({ REMOTE_USER_HEADER: header, REMOTE_USER_PROXIES: proxies }: Config) {
  if ((header === '') !== (proxies === ''))
    throw new Error('REMOTE_USER_HEADER and REMOTE_USER_PROXIES are needed together')
  return header === '' ? null : { header, proxies: addressList(proxies) }
}

/** Milliseconds of a clock that can't be set back, which would keep cache entries for longer. */
const monotonicNow = (): number => performance.now()

/** Reuses the token, because signing costs more than the rest of routing a request. */
function reuseToken(sign: () => string): () => string {
  let token = ''
  let renewAt = 0
  return () => {
    if (Date.now() < renewAt) return token
    token = sign()
    renewAt = Date.now() + userTokenReuseMs
    return token
  }
}
