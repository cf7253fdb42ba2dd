import { type EndpointInput, endpoints, oneTimeNotices } from '@tms/contracts'
import { type ApiClient, ApiError, type TestSystem } from '@tms/test-kit'
import { accessWorkload } from './access-workload.ts'
import { botWorkload } from './bot-workload.ts'
import { detailWorkload } from './detail-workload.ts'
import { groupWorkload } from './group-workload.ts'
import { organizationWorkload } from './organization-workload.ts'
import { ownAccountWorkload } from './own-account-workload.ts'
import { profileWorkload } from './profile-workload.ts'
import { createRepeater } from './repeater.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { topicWorkload, workloadTopic } from './topic-workload.ts'
import { until } from './until.ts'
import { userWorkload } from './user-workload.ts'
import { newUsers, secondsFromNow } from './users-and-channels.ts'

const { sendMessage, subscribe, unsubscribe, updateMessageFlags, listAttachments, deleteAttachment } =
  endpoints.messaging
const { createSavedSnippet, deleteSavedSnippet, updateSavedSnippet } = endpoints.users
const { addAlertWords, markOnboardingStep, muteUser, removeAlertWords, unmuteUser, updateSettings } =
  endpoints.users
const {
  archiveChannel,
  getChannelId,
  listChannels,
  listSubscriptions,
  updateChannel,
  updateSubscriptionSettings,
} = endpoints.messaging
const { createScheduledMessage, listScheduledMessages, updateScheduledMessage, deleteScheduledMessage } =
  endpoints.messaging
const { deleteMessage, editMessage, updateUserTopic } = endpoints.messaging
const PUBLIC = ['north', 'south', 'east']
const PRIVATE = ['cellar', 'attic']
const YEAR_SECONDS = 365 * 86_400
const MOST_GIVEN_UP = 5
const scheduled = { type: 'direct', content: 'later' } as const

/** Repeated changes of a channel. */
const CHANGES: readonly Omit<EndpointInput<typeof endpoints.messaging.updateChannel>, 'stream_id'>[] = [
  { description: 'what for' },
  { is_private: true },
  { stream_post_policy: 2 },
  { can_send_message_group: { direct_members: [], direct_subgroups: [2, 4] } },
  { history_public_to_subscribers: true },
  { is_private: false },
  { is_default_stream: true },
  { description: '*why*', stream_post_policy: 1 },
  { is_default_stream: false },
  { message_retention_days: 30 },
  { message_retention_days: 'realm_default' },
]

/** Changes of every kind, until it is stopped. */
export interface Workload {
  stop(): Promise<void>
}

/**
 * Keeps an organization busy, all at once: channel and direct messages, subscriptions (of oneself and others, in public and
 * private channels), flags, settings, reactions, drafts, scheduled messages, edits, moves and deletions, visibility of topics,
 * new users and new channels, names and roles, bots and the names of their channels. The role of `changingUser` varies.
 */
export async function startWorkload(
  product: TestSystem,
  observers: readonly ApiClient[],
  changingUser: ApiClient,
): Promise<Workload> {
  const { owner } = product
  const everyone = observers.map(({ userId }) => userId)
  const channels = [...PUBLIC, ...PRIVATE]
  await retryWhileUnavailable(() =>
    owner.call(subscribe, { subscriptions: PUBLIC.map((name) => ({ name })), principals: everyone }),
  )
  await retryWhileUnavailable(() =>
    owner.call(subscribe, { subscriptions: PRIVATE.map((name) => ({ name })), invite_only: true }),
  )

  const users = await userWorkload(product, changingUser, { open: 'north', secret: 'cellar' })
  const bots = await botWorkload(owner, observers)
  const details = [...(await detailWorkload(owner, observers)), ...users.changes, ...bots.changes]
  const changing = await createFilledChannel(owner, 'changing', everyone)
  const tuned = await createFilledChannel(owner, 'tuned', everyone)

  const repeater = createRepeater()
  let givenUp = 0
  // On a busy machine a call between services can take longer than it may: that turn is given up. An outage would end many.
  const repeat = (change: (turn: number) => Promise<unknown>) =>
    repeater.repeat((turn) =>
      change(turn).catch((err: unknown) => {
        if (!isUnavailableAnswer(err) || ++givenUp > MOST_GIVEN_UP) throw err
      }),
    )
  const pick = <T>(from: readonly T[], turn: number): T => from[turn % from.length] as T

  channels.forEach((name) =>
    repeat((turn) =>
      owner.call(sendMessage, {
        type: 'channel',
        to: name,
        topic: workloadTopic(turn % 3, turn),
        content: `${turn}`,
      }),
    ),
  )
  repeat((turn) =>
    owner.call(sendMessage, { type: 'direct', to: [pick(everyone, turn)], content: `${turn}` }),
  )
  repeat((turn) =>
    owner.call(sendMessage, { type: 'direct', to: everyone.slice(turn % 3), content: `${turn}` }),
  )
  observers.forEach((observer, index) =>
    repeat(async (turn) => {
      const subscriptions = [pick(PUBLIC, turn + index)]
      await observer.call(unsubscribe, { subscriptions })
      await observer.call(subscribe, { subscriptions: subscriptions.map((name) => ({ name })) })
    }),
  )
  repeat(async (turn) => {
    const principals = [pick(everyone, turn), pick(everyone, turn + 1)]
    const name = pick(PRIVATE, turn)
    await owner.call(subscribe, { subscriptions: [{ name }], principals })
    await owner.call(unsubscribe, { subscriptions: [name], principals })
  })
  repeat(async (turn) => {
    const observer = pick(observers, turn)
    const { id } = await owner.call(sendMessage, {
      type: 'direct',
      to: [observer.userId],
      content: 'to be read',
    })
    await observer.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    if (turn % 2 === 0)
      await observer.call(updateMessageFlags, { messages: [id], op: 'remove', flag: 'read' })
  })
  // A private channel is archived when its only subscriber leaves.
  repeat(async (turn) => {
    const subscriptions = [{ name: `den ${turn}` }]
    await owner.call(subscribe, { subscriptions, invite_only: true })
    await owner.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  })
  // Every setting of a channel in turn, including default channel and private.
  repeat((turn) => owner.call(updateChannel, { stream_id: changing, ...pick(CHANGES, turn) }))
  repeat((turn) => owner.call(updateChannel, { stream_id: tuned, new_name: `tuned ${turn}` }))
  observers.forEach((observer) =>
    repeat((turn) => {
      const muting = { stream_id: tuned, property: 'is_muted', value: turn % 2 === 0 } as const
      const color = { stream_id: tuned, property: 'color', value: `#${100 + (turn % 900)}` } as const
      return observer.call(updateSubscriptionSettings, { subscription_data: [muting, color] })
    }),
  )
  // A channel that is archived with subscribers and unread messages.
  repeat(async (turn) => {
    const stream_id = await createFilledChannel(
      owner,
      `passing ${turn}`,
      everyone.slice(turn % 4),
      turn % 2 === 0,
    )
    await observers.at(-1)?.send(updateUserTopic, { stream_id, topic: 'passing', visibility_policy: 1 })
    await owner.call(archiveChannel, { stream_id })
    await changeArchived(owner, stream_id, pick(observers, turn).userId, turn)
  })
  const ids = await Promise.all(channels.map((stream) => owner.call(getChannelId, { stream })))
  const entered = [...ids.map(({ stream_id }) => stream_id), changing, tuned]
  topicWorkload([...observers, changingUser], entered).forEach(repeat)
  // Messages are edited, moved between topics and channels of all kinds, and some are deleted.
  repeat(async (turn) => {
    const [from, to] = [pick(channels, turn), pick(channels, turn + 1 + (turn % 3))]
    const send = (topic: string) =>
      owner.call(sendMessage, { type: 'channel', to: from, topic, content: `roams ${turn}` })
    const { id: message_id } = await send(workloadTopic(turn % 3, turn))
    const { id: deletedId } = await send('to delete')
    await owner.call(editMessage, { message_id, content: `edited ${turn}` })
    const { stream_id } = await owner.call(getChannelId, { stream: to })
    const propagate_mode = pick(['change_one', 'change_later', 'change_all'] as const, turn)
    await owner.call(editMessage, {
      message_id,
      stream_id,
      topic: workloadTopic((turn + 1) % 3, turn),
      propagate_mode,
    })
    await owner.call(deleteMessage, { message_id: turn % 2 === 0 ? deletedId : message_id })
  })
  // A file that is linked and deleted.
  repeat(async (turn) => {
    const { url } = (await pick(observers, turn).upload({ name: `${turn}.txt`, content: 'x' })).body
    const content = `[a file](${String(url)})`
    await pick(observers, turn).call(sendMessage, { type: 'direct', to: everyone, content })
    const { attachments } = await pick(observers, turn).call(listAttachments, {})
    for (const { id: attachment_id } of attachments) {
      await pick(observers, turn).call(deleteAttachment, { attachment_id })
    }
  })
  details.forEach(repeat)
  repeat(ownAccountWorkload(owner, observers))
  const groups = await groupWorkload(owner, observers)
  groups.forEach(repeat)
  const access = await accessWorkload(owner, [...observers, changingUser])
  access.forEach(repeat)
  repeat(await profileWorkload(owner, observers))
  repeat(async () => {
    const [newUser] = await newUsers(product, 1)
    // Responses wait until users are in the default channels, but only up to a limit, which many changes on a busy machine
    // exceed; after the end none may be missing.
    await until(async () => (await newUser.call(listSubscriptions, {})).subscriptions.length > 0)
  })
  observers.forEach((observer, index) =>
    repeat(async (turn) => {
      await observer.call(updateSettings, {
        enter_sends: turn % 2 === 0,
        enable_sounds: turn % 3 === 0,
        web_font_size_px: 10 + (turn % 5),
        timezone: pick(['Europe/Berlin', 'Asia/Kolkata', 'UTC'], turn),
      })
      const alert_words = [`word ${turn % 7}`]
      await observer.call(pick([addAlertWords, addAlertWords, removeAlertWords], turn), { alert_words })
      await observer.call(markOnboardingStep, { onboarding_step: pick(oneTimeNotices, turn) })
      const muted_user_id = pick([owner, ...observers.filter((other) => other !== observer)], index).userId
      await observer.call(pick([muteUser, unmuteUser], turn), { muted_user_id })
    }),
  )
  // A snippet that is saved, changed, and deleted or kept.
  repeat(async (turn) => {
    const observer = pick(observers, turn)
    const sample = { title: `snippet ${turn}`, content: `content ${turn}` }
    const { saved_snippet_id } = await observer.call(createSavedSnippet, sample)
    await observer.call(updateSavedSnippet, { saved_snippet_id, content: `changed ${turn}` })
    if (turn % 5 > 0) await observer.call(deleteSavedSnippet, { saved_snippet_id })
  })
  organizationWorkload(owner).forEach(repeat)
  // A message that is scheduled, changed, and deleted or left for a year.
  repeat(async (turn) => {
    const observer = pick(observers, turn)
    const { scheduled_message_id } = await observer.call(createScheduledMessage, {
      ...scheduled,
      to: everyone,
      scheduled_delivery_timestamp: secondsFromNow(YEAR_SECONDS),
    })
    await observer.call(updateScheduledMessage, { scheduled_message_id, content: `${turn}` })
    if (turn % 5 > 0) await observer.call(deleteScheduledMessage, { scheduled_message_id })
  })
  // One that becomes due.
  repeat(async () => {
    const { status, body } = await owner.send(createScheduledMessage, {
      ...scheduled,
      to: everyone,
      scheduled_delivery_timestamp: secondsFromNow(5),
    })
    const id = body['scheduled_message_id']
    // A busy machine may not process it before its time.
    if (status !== 200 && !String(body['msg']).includes('in the future')) throw new Error(String(body['msg']))
    await until(async () => {
      const { scheduled_messages } = await owner.call(listScheduledMessages, {})
      return !scheduled_messages.some(({ scheduled_message_id }) => scheduled_message_id === id)
    })
  })
  repeat((turn) =>
    owner.call(subscribe, { subscriptions: [{ name: `new ${turn}` }], principals: [pick(everyone, turn)] }),
  )
  return {
    stop: async () => {
      await repeater.stop()
      await users.waitUntilSettled()
      await bots.waitUntilSettled()
    },
  }
}

const isUnavailableAnswer = (err: unknown): boolean => err instanceof ApiError && err.answer.status === 503

/** Subscribes a user to an archived channel again, and opens or closes it. */
async function changeArchived(
  owner: ApiClient,
  stream_id: number,
  userId: number,
  turn: number,
): Promise<void> {
  const { streams } = await owner.call(listChannels, { include_all: true, exclude_archived: false })
  const name = streams.find((channel) => channel.stream_id === stream_id)?.name ?? ''
  await owner.call(unsubscribe, { subscriptions: [name], principals: [userId] })
  if (turn % 3 === 0) await owner.call(updateChannel, { stream_id, is_private: turn % 2 !== 0 })
  await owner.call(subscribe, { subscriptions: [{ name }], principals: [userId] })
}

/** Creates a channel with its creator and others, and returns its ID. */
async function createFilledChannel(
  creator: ApiClient,
  name: string,
  others: readonly number[],
  invite_only = false,
): Promise<number> {
  const principals = [creator.userId, ...others]
  await retryWhileUnavailable(() =>
    creator.call(subscribe, { subscriptions: [{ name }], principals, invite_only }),
  )
  return (await creator.call(getChannelId, { stream: name })).stream_id
}
