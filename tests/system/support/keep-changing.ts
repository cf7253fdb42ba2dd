import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError, type ClientEvent } from '@tms/test-kit'
import { createEndless, type Endless } from './forever.ts'
import { persist } from './persist.ts'

const { deleteMessage, editMessage, getMessage, sendMessage } = endpoints.messaging

/** Someone who changes messages, and whom no server's absence stops. */
export interface Changing extends Pick<Endless, 'stop' | 'failed'> {
  /** What was done, as `changeOf` tells it. */
  readonly changes: readonly string[]
  /** Messages that were sent and are gone again, oldest first. */
  readonly deleted: readonly number[]
}

const PAUSE_MS = 50

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
  const { forever, stop, failed } = createEndless()
  forever(async (turn) => {
    const number = turn + 1
    const message = { type: 'channel', to: channel, topic: 'changing', content: 'to change' } as const
    const headers = { 'idempotency-key': `change ${number}` }
    const { id } = await persist(() => client.call(sendMessage, message, { headers }))
    const now = () => lookAt(client, id)
    const [content, topic] = [`content ${number}`, `topic ${number}`]
    const change = (input: object) => () =>
      client.call(editMessage, { message_id: id, send_notification_to_new_thread: false, ...input })
    await doUnlessDone(change({ content }), async () => (await now())?.content === content)
    await doUnlessDone(change({ topic }), async () => (await now())?.subject === topic)
    await doUnlessDone(
      () => client.call(deleteMessage, { message_id: id }),
      async () => (await now()) === null,
    )
    changes.push(`${id} ${content}`, `${id} ${topic}`, `${id} deleted`)
    deleted.push(id)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  })
  return { changes, deleted, stop, failed }
}

function doUnlessDone(change: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  return persist(async () => {
    if (await isDone()) return
    await change().catch(async (err: unknown) => {
      // What a killed process had under way may have been done after the look, and can't be done twice.
      if (!(await isDone())) throw err
    })
  })
}

/** A message as it is; null when it is gone. */
async function lookAt(client: ApiClient, id: number): Promise<{ content: string; subject: string } | null> {
  const answer = await client.send(getMessage, { message_id: id, apply_markdown: false })
  if (answer.status === 200) return answer.body['message'] as { content: string; subject: string }
  if (answer.body['msg'] === 'Invalid message(s)') return null
  throw new ApiError(getMessage.name, answer)
}
