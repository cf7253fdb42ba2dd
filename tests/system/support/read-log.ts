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

/** Every entry of the log, from the oldest to the newest at the time of the call. */
export async function readLog(rabbitmqUrl: string): Promise<LogEntry[]> {
  const log = createLog('test', 'silent')
  const topology = topologyOf('')
  const broker = connectBroker(rabbitmqUrl, log, async () => {})
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
