import type { Broker } from '../broker/connection.ts'
import { within } from '../concurrency/within.ts'
import { type Probe, PublicReason } from '../lifecycle/health.ts'
import type { OutboxRelay } from '../outbox/relay.ts'
import { type Pool, refuseConnection } from '../postgres/pool.ts'
import { findSessionLimits } from '../postgres/session.queries.ts'
import { DatabaseUnavailableError } from '../postgres/unavailable.ts'
import { mastersOf, type Redis } from '../redis/connect.ts'

/** Less than a probe's own timeout, so that the connection is released when a probe fails. */
const POSTGRES_MS = 1_500
const READ_ONLY = 'is read-only'

/** Ready only with a database that answers, and takes writes. */
export function postgresProbe(pool: Pool): Probe {
  return {
    name: 'postgres',
    check: async () => {
      const client = await pool.connect().catch((err: unknown) => {
        throw err instanceof DatabaseUnavailableError && err.isReadOnly ? new PublicReason(READ_ONLY) : err
      })
      let failure: Error | undefined
      try {
        const { isReadOnly } = await within(POSTGRES_MS, 'did not answer in time', findSessionLimits(client))
        if (!isReadOnly) return
        refuseConnection(client)
        throw new PublicReason(READ_ONLY)
      } catch (err) {
        failure = err as Error
        throw err
      } finally {
        client.release(failure)
      }
    },
  }
}

/** How long a relay may work on the same events: a batch that RabbitMQ confirms slowly is no stall. */
const RELAY_STANDS_MS = 5_000

/** The service works without it, but its events aren't published. */
export function relayProbe(relay: Pick<OutboxRelay, 'stalledMs'>): Probe {
  return {
    name: 'outbox_relay',
    isOptional: true,
    check: async () => {
      if (relay.stalledMs() > RELAY_STANDS_MS) throw new PublicReason('does not get on')
    },
  }
}

/** Ready only with a broker connection. */
export function rabbitmqProbe(broker: Broker): Probe {
  return { name: 'rabbitmq', check: broker.check }
}

/** Ready only with a Redis that answers; in a cluster one of its masters, since the keys of the others still work. */
export function redisProbe(redis: Redis): Probe {
  const check = () =>
    Promise.any(mastersOf(redis).map((master) => master.ping())).catch(({ errors }: AggregateError) => {
      throw errors[0] ?? new Error('no master is known')
    })
  return { name: 'redis', check }
}
