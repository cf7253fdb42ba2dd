import type { endpoints, ServiceName } from '@tms/contracts'
import type { Registry } from 'prom-client'
import { type Broker, connectBroker } from '../broker/connection.ts'
import { declareTopology, type Topology, topologyOf } from '../broker/topology.ts'
import { createApi, type ServedApi } from '../http/api.ts'
import { type HttpOptions, type HttpServer, startHttpServer } from '../http/server.ts'
import { anyUpgrade } from '../http/upgrade-handler.ts'
import { Closers } from '../lifecycle/closers.ts'
import { FINISH_MS } from '../lifecycle/shutdown.ts'
import { type OutboxRelay, startOutboxRelay } from '../outbox/relay.ts'
import { createLockViolationReport } from '../postgres/lock-violations.ts'
import { createPool, type Pool } from '../postgres/pool.ts'
import { serveRequestLinks } from '../request-links/serve-request-links.ts'
import type { Logger } from '../telemetry/log.ts'
import { Gauge } from '../telemetry/metrics.ts'
import { type ClientTls, clientTlsOf, expiryOf, serverTlsOf, type TlsVariables } from '../tls/settings.ts'

/** What every part of a service needs when it is opened. */
export interface Opening {
  readonly closers: Closers
  readonly log: Logger
  readonly tls: ClientTls
}

interface BrokerVariables {
  readonly RABBITMQ_URL: string
  readonly NAMESPACE: string
}

interface DatabaseVariables {
  readonly DATABASE_URL: string
  readonly DATABASE_POOL_MAX: number
  readonly DATABASE_SILENCE_SECONDS: number
}

/**
 * Runs `open`, which opens a service's parts from top to bottom. `close` closes them in reverse order; so does a
 * failure in the middle.
 */
export async function openService<T extends object>(
  config: TlsVariables,
  log: Logger,
  open: (opening: Opening) => Promise<T>,
): Promise<T & { close: () => Promise<void> }> {
  const closers = new Closers(log)
  const close = () => closers.closeAll()
  try {
    return { ...(await open({ closers, log, tls: clientTlsOf(config) })), close }
  } catch (err) {
    await close()
    throw err
  }
}

/** Connects to RabbitMQ and declares the exchange and the streams that are missing. */
export function openBroker(
  { closers, log, tls }: Opening,
  { RABBITMQ_URL, NAMESPACE }: BrokerVariables,
): { broker: Broker; topology: Topology } {
  const topology = topologyOf(NAMESPACE)
  const connected = connectBroker(RABBITMQ_URL, log, (channel) => declareTopology(channel, topology), tls)
  return { broker: closers.add('rabbitmq', connected, (broker) => broker.close()), topology }
}

/**
 * Opens a service's database, its connection to RabbitMQ, and the relay that publishes its events and wakes after each
 * commit that published some.
 */
export function openOutbox(
  opening: Opening,
  config: BrokerVariables & DatabaseVariables,
  { source, metrics }: { source: ServiceName; metrics: Registry },
): { db: Pool; broker: Broker; topology: Topology; relay: Pick<OutboxRelay, 'stalledMs'> } {
  const { closers, log, tls } = opening
  const { DATABASE_URL, DATABASE_POOL_MAX, DATABASE_SILENCE_SECONDS } = config
  const pool = createPool(DATABASE_URL, DATABASE_POOL_MAX, log, tls, {
    silenceSeconds: DATABASE_SILENCE_SECONDS,
  })
  const db = closers.add('postgres', pool, (opened) => opened.end())
  const { broker, topology } = openBroker(opening, config)
  const started = startOutboxRelay({
    ...{ source, db, broker, log, metrics },
    exchange: topology.exchange,
    auditQueue: topology.audit,
  })
  const relay = closers.add('outbox relay', started, (running) => running.stop())
  db.markPublished = relay.wake
  db.onLockViolation = createLockViolationReport(log, metrics)
  return { db, broker, topology, relay }
}

/**
 * Serves HTTP. On shutdown the server first reports that it isn't ready, waits `DRAIN_SECONDS` for callers to notice,
 * and then closes; `close` may replace that last step.
 */
export async function serve(
  { closers, log }: Opening,
  config: TlsVariables & { readonly HOST: string; readonly PORT: number; readonly DRAIN_SECONDS: number },
  {
    close,
    ...options
  }: Omit<HttpOptions, 'host' | 'port' | 'tls' | 'drainMs' | 'log'> & {
    close?: (server: HttpServer) => Promise<void>
  },
): Promise<HttpServer> {
  registerExpiryMetric(config.TLS_CERTIFICATE, options.metrics)
  const server = await startHttpServer({
    ...options,
    log,
    host: config.HOST,
    port: config.PORT,
    tls: serverTlsOf(config),
    drainMs: config.DRAIN_SECONDS * 1000,
  })
  closers.add('http', server, close ?? ((listening) => listening.close()), FINISH_MS)
  closers.add('leave', server, (leaving) => leaving.leave())
  return server
}

/** Certificates are read only at startup, so an alert needs to know which processes still use the old one. */
function registerExpiryMetric(certificate: string, metrics: Registry): void {
  const expires = new Gauge({
    name: 'tls_certificate_expires_seconds',
    help: 'When the certificate that this process has loaded expires (Unix time); none without TLS_CERTIFICATE.',
    registers: [metrics],
  })
  if (certificate === '') expires.remove()
  else expires.set(expiryOf(certificate))
}

/**
 * Serves the endpoints that a service declares: to callers that the gateway has authenticated, by HTTP and over request links, and to
 * other services.
 */
export function serveApi<O extends keyof typeof endpoints, Context>(
  opening: Opening,
  config: Parameters<typeof serve>[1] & {
    readonly JWT_PUBLIC_KEY: string
    readonly INTERNAL_PUBLIC_KEY: string
  },
  served: ServedApi<O, Context>,
  options: Pick<Parameters<typeof serve>[2], 'probes' | 'close' | 'upgrade' | 'onLeaving'>,
): Promise<HttpServer> {
  const api = createApi({
    ...served,
    userPublicKey: config.JWT_PUBLIC_KEY,
    internalPublicKey: config.INTERNAL_PUBLIC_KEY,
    log: opening.log,
  })
  const links = serveRequestLinks({
    serve: api.serveLinked,
    internalPublicKey: config.INTERNAL_PUBLIC_KEY,
    log: opening.log,
  })
  return serve(opening, config, {
    ...options,
    metrics: served.metrics,
    api: api.handle,
    upgrade: anyUpgrade([links.upgrade, ...(options.upgrade ? [options.upgrade] : [])]),
    onLeaving: () => {
      links.leave()
      options.onLeaving?.()
    },
  })
}
