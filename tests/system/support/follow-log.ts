import type { LogEntry } from '@tms/contracts'
import {
  connectBroker,
  createLog,
  createLogReader,
  createPublisher,
  type Publisher,
  topologyOf,
} from '@tms/service-kit'
import type { EmptySystem } from '@tms/test-kit'

/** A reader of the log from its oldest entry on, which survives restarts of the broker. */
export interface LogFollowing {
  /** Publishes to the log as services do. */
  readonly publisher: Publisher
  close(): Promise<void>
}

/** Passes on every entry of the log, old and new, once and in order. */
export async function followLog(
  { servers, system }: Pick<EmptySystem, 'servers' | 'system'>,
  onEntry: (entry: LogEntry, offset: number) => void,
): Promise<LogFollowing> {
  const log = createLog('test', 'silent')
  const topology = topologyOf(system.namespace)
  const broker = connectBroker(servers.rabbitmq.url, log, async () => {})
  const publisher = createPublisher(broker, topology.exchange)
  const reader = createLogReader({
    broker,
    queue: topology.log,
    log,
    onEntry: ({ body, offset }) => onEntry(JSON.parse(body) as LogEntry, offset),
  })
  await new Promise<void>((resolve) => broker.onConnected(resolve))
  reader.seek('first')
  return {
    publisher,
    close: async () => {
      await reader.close()
      await publisher.close()
      await broker.close()
    },
  }
}
