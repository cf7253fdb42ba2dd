import type { Broker } from './broker/connection.ts'
import type { Probe } from './health.ts'
import type { Pool } from './postgres/pool.ts'

/** Ready only with a database that answers. */
export function postgresProbe(pool: Pool): Probe {
  return { name: 'postgres', check: () => pool.query('select 1') }
}

/** Ready only with a broker connection. */
export function rabbitmqProbe(broker: Broker): Probe {
  return { name: 'rabbitmq', check: broker.check }
}
