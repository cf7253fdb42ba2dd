import { endpoints } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'
import type { Watcher } from './watch.ts'

const { addAlertWords, removeAlertWords } = endpoints.users
let marks = 0

/**
 * The events of each watcher during an act on accounts, up to new alert words of theirs, since events of one service keep their
 * order. The watchers also receive `alert_words`.
 */
export async function accountEventsOf(
  watchers: readonly Watcher[],
  act: () => Promise<unknown>,
): Promise<ClientEvent[][]> {
  const from = await mark(watchers)
  await act()
  const to = await mark(watchers)
  // After the mark comes its removal.
  return watchers.map(({ queue }, index) => queue.events.slice((from[index] ?? 0) + 2, to[index]))
}

async function mark(watchers: readonly Watcher[]): Promise<number[]> {
  const word = `end of events ${++marks}`
  const clients = new Set(watchers.map(({ client }) => client))
  for (const client of clients) await client.call(addAlertWords, { alert_words: [word] })
  for (const client of clients) await client.call(removeAlertWords, { alert_words: [word] })
  const isMark = ({ type, alert_words }: ClientEvent) =>
    type === 'alert_words' && (alert_words as string[]).includes(word)
  await Promise.all(watchers.map(({ queue }) => queue.waitFor(isMark, word)))
  return watchers.map(({ queue }) => queue.events.findIndex(isMark))
}
