import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError, type ClientEvent } from '@tms/test-kit'
import { createRepeater, type Repeater } from './repeater.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

const { deleteMessage, editMessage, getMessage, sendMessage } = endpoints.messaging

/** A user who changes messages, across outages of servers. */
export interface MessageChanger extends Pick<Repeater, 'stop' | 'failed'> {
  /** The changes, in the form of `changeOf`. */
  readonly changes: readonly string[]
  /** Messages that were sent and deleted, from oldest to newest. */
  readonly deleted: readonly number[]
}

const PAUSE_MS = 50

/** The change of a message in a client event, in short. */
export function changeOf(event: ClientEvent): string {
  if (event.type === 'delete_message') return `${event['message_id']} deleted`
  return `${event['message_id']} ${event['subject'] === undefined ? event['content'] : event['subject']}`
}

/**
 * Sends messages to a channel, edits, moves and deletes each, until it is stopped. After an outage it checks whether the change
 * was made, and repeats it otherwise.
 */
export function startChanging(client: ApiClient, channel: string): MessageChanger {
  const changes: string[] = []
  const deleted: number[] = []
  const { repeat, stop, failed } = createRepeater()
  repeat(async (turn) => {
    const number = turn + 1
    const message = { type: 'channel', to: channel, topic: 'changing', content: 'to change' } as const
    const headers = { 'idempotency-key': `change ${number}` }
    const { id } = await retryWhileUnavailable(() => client.call(sendMessage, message, { headers }))
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
  return retryWhileUnavailable(async () => {
    if (await isDone()) return
    await change().catch(async (err: unknown) => {
      // A killed process may have made the change after the check, and it cannot be made twice.
      if (!(await isDone())) throw err
    })
  })
}

/** The present message; null if it is deleted. */
async function lookAt(client: ApiClient, id: number): Promise<{ content: string; subject: string } | null> {
  const answer = await client.send(getMessage, { message_id: id, apply_markdown: false })
  if (answer.status === 200) return answer.body['message'] as { content: string; subject: string }
  if (answer.body['msg'] === 'Invalid message(s)') return null
  throw new ApiError(getMessage.name, answer)
}
