import { randomUUID } from 'node:crypto'
import { domainEvents, type LogEntry } from '@tms/contracts'
import {
  connectBroker,
  createLog,
  createLogReader,
  createPublisher,
  publishWithoutPlace,
  topologyOf,
} from '@tms/service-kit'
import type { EmptySystem } from '@tms/test-kit'

/** Every entry of the log, from the oldest to the newest at the time of the call. */
export async function readLog({ servers, system }: EmptySystem): Promise<LogEntry[]> {
  const log = createLog('test', 'silent')
  const topology = topologyOf(system.namespace)
  const broker = connectBroker(servers.rabbitmq.url, log, async () => {})
  const publisher = createPublisher(broker, topology.exchange)
  const marker = randomUUID()
  const entries: LogEntry[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const reader = createLogReader({
        broker,
        queue: topology.log,
        log,
        onEntry: ({ body }) => {
          entries.push(JSON.parse(body) as LogEntry)
          if (body.includes(marker)) {
            void reader.close()
            resolve()
          }
        },
      })
      broker.onConnected(() => {
        const { logMarked } = domainEvents.events
        publishWithoutPlace(publisher, logMarked, { marker }, { realmId: 0, requestId: null }).catch(reject)
        reader.seek('first')
      })
    })
  } finally {
    await publisher.close()
    await broker.close()
  }
  return entries
}
