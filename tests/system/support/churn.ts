import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { secondsFromNow } from './people.ts'
import { until } from './until.ts'

const {
  sendMessage,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  listAttachments,
  deleteAttachment,
  createScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
  deleteScheduledMessage,
} = endpoints.messaging
const PUBLIC = ['north', 'south', 'east']
const PRIVATE = ['cellar', 'attic']
const YEAR_SECONDS = 365 * 86_400
const scheduled = { type: 'direct', content: 'later' } as const

/** Changes of every kind, going on until stopped. */
export interface Churn {
  stop(): Promise<void>
}

/**
 * Keeps an organization busy: channel and direct messages, subscribing and leaving (oneself and others,
 * public and private channels), flags, scheduled messages, new users and new channels, all at once.
 */
export async function startChurn(product: TestSystem, observers: readonly ApiClient[]): Promise<Churn> {
  const { owner } = product
  const everyone = observers.map(({ userId }) => userId)
  const channels = [...PUBLIC, ...PRIVATE]
  await owner.call(subscribe, { subscriptions: PUBLIC.map((name) => ({ name })), principals: everyone })
  await owner.call(subscribe, { subscriptions: PRIVATE.map((name) => ({ name })), invite_only: true })

  let isStopped = false
  const failures: unknown[] = []
  const forever = async (change: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !isStopped; turn++) {
      await change(turn).catch((err: unknown) => {
        failures.push(err)
        isStopped = true
      })
    }
  }
  const pick = <T>(from: readonly T[], turn: number): T => from[turn % from.length] as T

  const running = [
    ...channels.map((name) =>
      forever((turn) =>
        owner.call(sendMessage, { type: 'channel', to: name, topic: `t${turn % 3}`, content: `${turn}` }),
      ),
    ),
    forever((turn) =>
      owner.call(sendMessage, { type: 'direct', to: [pick(everyone, turn)], content: `${turn}` }),
    ),
    forever((turn) =>
      owner.call(sendMessage, { type: 'direct', to: everyone.slice(turn % 3), content: `${turn}` }),
    ),
    ...observers.map((observer, index) =>
      forever(async (turn) => {
        const subscriptions = [pick(PUBLIC, turn + index)]
        await observer.call(unsubscribe, { subscriptions })
        await observer.call(subscribe, { subscriptions: subscriptions.map((name) => ({ name })) })
      }),
    ),
    forever(async (turn) => {
      const principals = [pick(everyone, turn), pick(everyone, turn + 1)]
      const name = pick(PRIVATE, turn)
      await owner.call(subscribe, { subscriptions: [{ name }], principals })
      await owner.call(unsubscribe, { subscriptions: [name], principals })
    }),
    forever(async (turn) => {
      const observer = pick(observers, turn)
      const { id } = await owner.call(sendMessage, {
        type: 'direct',
        to: [observer.userId],
        content: 'to be read',
      })
      await observer.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
      if (turn % 2 === 0)
        await observer.call(updateMessageFlags, { messages: [id], op: 'remove', flag: 'read' })
    }),
    // A private channel that its only subscriber leaves comes to an end.
    forever(async (turn) => {
      const subscriptions = [{ name: `den ${turn}` }]
      await owner.call(subscribe, { subscriptions, invite_only: true })
      await owner.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
    }),
    // A file that is linked, or not, and deleted.
    forever(async (turn) => {
      const { url } = (await pick(observers, turn).upload({ name: `${turn}.txt`, content: 'x' })).body
      const content = `[a file](${String(url)})`
      await pick(observers, turn).call(sendMessage, { type: 'direct', to: everyone, content })
      const { attachments } = await pick(observers, turn).call(listAttachments, {})
      for (const { id: attachment_id } of attachments) {
        await pick(observers, turn).call(deleteAttachment, { attachment_id })
      }
    }),
    // A message that is scheduled, changed, and deleted or left for another year.
    forever(async (turn) => {
      const observer = pick(observers, turn)
      const { scheduled_message_id } = await observer.call(createScheduledMessage, {
        ...scheduled,
        to: everyone,
        scheduled_delivery_timestamp: secondsFromNow(YEAR_SECONDS),
      })
      await observer.call(updateScheduledMessage, { scheduled_message_id, content: `${turn}` })
      if (turn % 5 > 0) await observer.call(deleteScheduledMessage, { scheduled_message_id })
    }),
    // One whose time comes.
    forever(async () => {
      const { scheduled_message_id: id } = await owner.call(createScheduledMessage, {
        ...scheduled,
        to: everyone,
        scheduled_delivery_timestamp: secondsFromNow(2),
      })
      await until(async () => {
        const { scheduled_messages } = await owner.call(listScheduledMessages, {})
        return !scheduled_messages.some(({ scheduled_message_id }) => scheduled_message_id === id)
      })
    }),
    forever(() => product.createUser()),
    forever((turn) =>
      owner.call(subscribe, { subscriptions: [{ name: `new ${turn}` }], principals: [pick(everyone, turn)] }),
    ),
  ]
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(running)
      if (failures.length > 0) throw failures[0]
    },
  }
}
