import { endpoints, type Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'

let channels = 0

/** As many users: a tuple, if the number is known to the compiler. */
type Users<Count extends number, Some extends ApiClient[] = []> = number extends Count
  ? ApiClient[]
  : Some['length'] extends Count
    ? Some
    : Users<Count, [...Some, ApiClient]>

/** Creates users, who have read the messages of the default channels. */
export async function newUsers<Count extends number>(
  { createUser }: TestSystem,
  count: Count,
  options: { readonly hasPassword?: boolean } = {},
): Promise<Users<Count>> {
  const users: ApiClient[] = []
  for (let i = 0; i < count; i++) users.push(await createUser(undefined, options))
  await Promise.all(users.map(markAllRead))
  return users as Users<Count>
}

/** Creates one user with a role, likewise. */
export async function newUserOfRole({ createUser }: TestSystem, role: Role): Promise<ApiClient> {
  const user = await createUser(undefined, { role })
  await markAllRead(user)
  return user
}

/** New users start with some unread messages of earlier times: this marks them as read. */
async function markAllRead(user: ApiClient): Promise<void> {
  await user.call(endpoints.messaging.markAllAsRead, {})
}

/** A unique name of a channel. */
export function newChannelName(): string {
  return `channel ${++channels}`
}

interface NewChannelSettings {
  readonly others?: readonly ApiClient[]
  readonly isPrivate?: boolean
  readonly hasSharedHistory?: boolean
}

/** Creates a channel with its creator and the others, who have all read the notice of its creation. */
export async function newChannel(
  creator: ApiClient,
  settings: NewChannelSettings = {},
): Promise<{ name: string; id: number; noticeId: number }> {
  const channel = await createChannel(creator, settings)
  const { stream } = await creator.call(endpoints.messaging.getChannel, { stream_id: channel.id })
  const noticeId = stream.first_message_id ?? 0
  for (const other of settings.others ?? []) {
    await other.call(endpoints.messaging.updateMessageFlags, {
      messages: [noticeId],
      op: 'add',
      flag: 'read',
    })
  }
  return { ...channel, noticeId }
}

/** Creates a channel with its creator and the others. */
export async function createChannel(
  creator: ApiClient,
  settings: NewChannelSettings = {},
): Promise<{ name: string; id: number }> {
  const { others = [], isPrivate = false, hasSharedHistory } = settings
  const name = newChannelName()
  await creator.call(endpoints.messaging.subscribe, {
    subscriptions: [{ name }],
    principals: [creator, ...others].map(({ userId }) => userId),
    invite_only: isPrivate,
    ...(hasSharedHistory === undefined ? {} : { history_public_to_subscribers: hasSharedHistory }),
  })
  const { stream_id } = await creator.call(endpoints.messaging.getChannelId, { stream: name })
  return { name, id: stream_id }
}

/** Sends a message to a channel and returns its ID. */
export async function sendToChannel(
  sender: ApiClient,
  channel: string | number,
  content = 'hello',
  topic = 'a topic',
): Promise<number> {
  const { id } = await sender.call(endpoints.messaging.sendMessage, {
    type: 'channel',
    to: channel,
    topic,
    content,
  })
  return id
}

/** Sends a direct message and returns its ID. */
export async function sendDirectly(
  sender: ApiClient,
  recipients: readonly ApiClient[],
  content = 'psst',
): Promise<number> {
  const { id } = await sender.call(endpoints.messaging.sendMessage, {
    type: 'direct',
    to: recipients.map(({ userId }) => userId),
    content,
  })
  return id
}

/** A future time, in UNIX seconds. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds
}
