import { randomUUID } from 'node:crypto'
import { domainEvents, type LogEntry } from '@tms/contracts'
import { publishUnsequenced } from '@tms/service-kit'
import type { EmptySystem } from '@tms/test-kit'
import { followLog } from './follow-log.ts'

const { logMarked } = domainEvents.events

/** Every entry of the log, from the oldest to the newest at the time of the call. */
export async function readLog(product: EmptySystem): Promise<LogEntry[]> {
  const marker = randomUUID()
  const entries: LogEntry[] = []
  let foundMarker = () => {}
  const isRead = new Promise<void>((resolve) => {
    foundMarker = resolve
  })
  const following = await followLog(product, (entry) => {
    entries.push(entry)
    if (entry.event === logMarked.name && (entry.payload as { marker: string }).marker === marker)
      foundMarker()
  })
  try {
    await publishUnsequenced(following.publisher, logMarked, { marker }, { realmId: 0, requestId: null })
    await isRead
  } finally {
    await following.close()
  }
  return entries
}
