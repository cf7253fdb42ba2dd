import type { Broker } from './broker/connection.ts'
import type { Probe } from './health.ts'
import type { Pool } from './postgres/pool.ts'
import { mastersOf, type Redis } from './redis/connect.ts'

/** Ready only with a database that answers. */
export function postgresProbe(pool: Pool): Probe {
  return { name: 'postgres', check: () => pool.query('select 1') }
}

/** Ready only with a broker connection. */
export function rabbitmqProbe(broker: Broker): Probe {
  return { name: 'rabbitmq', check: broker.check }
}

/** Ready only with a Redis that answers; of a cluster, one of its masters, since what the others have can be had. */
export function redisProbe(redis: Redis): Probe {
  const check = () =>
    Promise.any(mastersOf(redis).map((master) => master.ping())).catch(({ errors }: AggregateError) => {
      throw errors[0] ?? new Error('no master is known')
    })
  return { name: 'redis', check }
}
