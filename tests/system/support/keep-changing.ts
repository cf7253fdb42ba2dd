import { endpoints } from '@tms/contracts'
import type { ApiClient, ClientEvent } from '@tms/test-kit'

const { deleteMessage, editMessage, getMessage, sendMessage } = endpoints.messaging

/** Someone who changes messages and never gives up. */
export interface Changing {
  /** What was done, as `changeOf` tells it. */
  readonly changes: readonly string[]
  /** Messages that were sent and are gone again, oldest first. */
  readonly deleted: readonly number[]
  stop(): Promise<void>
}

const PAUSE_MS = 50
const RETRY_MS = 100

/** What a client event tells of a message that changed. */
export function changeOf(event: ClientEvent): string {
  if (event.type === 'delete_message') return `${event['message_id']} deleted`
  return `${event['message_id']} ${event['subject'] === undefined ? event['content'] : event['subject']}`
}

/**
 * Sends messages to a channel, edits and moves each, and deletes it, until stopped. What fails for want of a server
 * is looked at and done again unless it was done and only the answer was lost.
 */
export function keepChanging(client: ApiClient, channel: string): Changing {
  const changes: string[] = []
  const deleted: number[] = []
  let isStopped = false
  const done = async (change: () => Promise<unknown>, isDone: () => Promise<boolean>) => {
    for (;;) {
      try {
        if (!(await isDone())) await change()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const run = async () => {
    for (let number = 1; !isStopped; number++) {
      let id = 0
      await done(
        async () => {
          const message = { type: 'channel', to: channel, topic: 'changing', content: 'to change' } as const
          const key = { 'idempotency-key': `change ${number}` }
          id = (await client.call(sendMessage, message, { headers: key })).id
        },
        async () => false,
      )
      const now = async () => {
        const { status, body } = await client.send(getMessage, { message_id: id, apply_markdown: false })
        if (status >= 500) throw new Error(`answered ${status}`)
        return (body['message'] ?? null) as { content: string; subject: string } | null
      }
      const [content, topic] = [`content ${number}`, `topic ${number}`]
      const change = (input: object) => () =>
        client.call(editMessage, { message_id: id, send_notification_to_new_thread: false, ...input })
      await done(change({ content }), async () => (await now())?.content === content)
      await done(change({ topic }), async () => (await now())?.subject === topic)
      await done(
        () => client.call(deleteMessage, { message_id: id }),
        async () => (await now()) === null,
      )
      changes.push(`${id} ${content}`, `${id} ${topic}`, `${id} deleted`)
      deleted.push(id)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const running = run()
  return {
    changes,
    deleted,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
