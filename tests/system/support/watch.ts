import { endpoints } from '@tms/contracts'
import {
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  type TestSystem,
} from '@tms/test-kit'

type RegisterInput = Parameters<typeof registerQueue>[1]

/** A client's queue, for assertions about delivered and undelivered events. */
export interface Watcher {
  readonly client: ApiClient
  readonly queue: EventQueue
}

const MARK = 'mark'
let marks = 0

/** Opens a queue that receives messages (beside other things, or alone). */
export async function watch(client: ApiClient, input: RegisterInput = {}): Promise<Watcher> {
  const queue = await registerQueue(client, { fetch_event_types: [], ...input })
  return { client, queue: queue.follow() }
}

/**
 * The events of each watcher during an act, up to a direct message that is sent after it. Only for acts on messaging, whose
 * events have the order of their commits.
 */
export async function eventsOf(
  system: TestSystem,
  watchers: readonly Watcher[],
  act: () => Promise<unknown>,
): Promise<ClientEvent[][]> {
  await mark(system, watchers)
  const from = watchers.map(({ queue }) => queue.events.length)
  await act()
  await mark(system, watchers)
  return watchers.map(({ queue }, index) => queue.events.slice(from[index]).filter((event) => !isMark(event)))
}

/** Stops following. */
export async function stopWatching(watchers: readonly Watcher[]): Promise<void> {
  await Promise.all(watchers.map(({ queue }) => queue.stop()))
}

async function mark({ owner }: TestSystem, watchers: readonly Watcher[]): Promise<void> {
  const content = `${MARK} ${++marks}`
  for (const { client } of watchers) {
    await owner.call(endpoints.messaging.sendMessage, { type: 'direct', to: [client.userId], content })
  }
  await Promise.all(
    watchers.map(({ queue }) => queue.waitFor((event) => textOf(event).includes(content), content)),
  )
}

const textOf = ({ message }: ClientEvent): string =>
  (message as { content?: string } | undefined)?.content ?? ''

const isMark = (event: ClientEvent): boolean =>
  event.type === 'message' && /^(<p>)?mark \d/.test(textOf(event))
