import type { ServiceName } from '@tms/contracts'
import { Counter, Gauge, type Registry, requestDurationsOf } from '@tms/service-kit'

/** Why a client was refused. */
export type ClientRefusal = 'connections' | 'address' | 'pipelined' | 'headers' | 'slow_request' | 'malformed'
/** Why an attempt at a replica failed. */
export type UpstreamFailure = 'refused' | 'lost' | 'timeout' | 'unavailable' | 'silent'
export type IdentityLookup = 'hit' | 'miss' | 'stale' | 'refused'

export interface GatewayMetrics {
  answered(endpoint: string, status: number, seconds: number): void
  upstreamFailed(service: ServiceName, reason: UpstreamFailure): void
  identityLookedUp(result: IdentityLookup): void
  clientRefused(reason: ClientRefusal | 'slow_reader'): void
}

/** Counts read whenever metrics are collected. */
export interface CollectedCounts {
  readonly pendingPolls: () => number
  readonly pollLinks: () => number
  readonly requestLinks: () => number
  readonly connections: () => number
}

/** The gateway's own metrics. */
export function createGatewayMetrics(registry: Registry, counted: CollectedCounts): GatewayMetrics {
  const registers = [registry]
  const durations = requestDurationsOf(registry)
  const upstreamFailures = new Counter({
    name: 'gateway_upstream_failures_total',
    help: 'Failed attempts at a replica, by service and reason.',
    labelNames: ['upstream', 'reason'],
    registers,
  })
  const identityLookups = new Counter({
    name: 'gateway_identity_lookups_total',
    help: 'How credentials were recognized: from the cache, by a call of users, or by a stale entry because users is unavailable.',
    labelNames: ['result'],
    registers,
  })
  new Gauge({
    name: 'gateway_pending_polls',
    help: 'Long-polls that are waiting for an answer.',
    registers,
    collect() {
      this.set(counted.pendingPolls())
    },
  })
  new Gauge({
    name: 'gateway_poll_links',
    help: 'Connections to replicas of events over which polls and streams are handed over.',
    registers,
    collect() {
      this.set(counted.pollLinks())
    },
  })
  new Gauge({
    name: 'gateway_request_links',
    help: 'Connections to replicas over which small requests are sent.',
    registers,
    collect() {
      this.set(counted.requestLinks())
    },
  })
  new Gauge({
    name: 'gateway_connections',
    help: 'Open connections of clients.',
    registers,
    collect() {
      this.set(counted.connections())
    },
  })
  const refusals = new Counter({
    name: 'gateway_clients_refused_total',
    help: 'Clients that were refused or cut off before they were served, or because they were too slow, by reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    answered: (endpoint, status, seconds) => durations.observe({ endpoint, status }, seconds),
    upstreamFailed: (upstream, reason) => upstreamFailures.inc({ upstream, reason }),
    identityLookedUp: (result) => identityLookups.inc({ result }),
    clientRefused: (reason) => refusals.inc({ reason }),
  }
}
