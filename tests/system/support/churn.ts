import { endpoints, oneTimeNotices } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { churnOfBots } from './churn-of-bots.ts'
import { churnOfDetails } from './churn-of-details.ts'
import { churnOfGroups } from './churn-of-groups.ts'
import { churnOfOrganization } from './churn-of-organization.ts'
import { churnOfOwnAccounts } from './churn-of-own-accounts.ts'
import { churnOfPeople } from './churn-of-people.ts'
import { churnOfProfiles } from './churn-of-profiles.ts'
import { churnOfTopics } from './churn-of-topics.ts'
import { createEndless } from './forever.ts'
import { newUsers, secondsFromNow } from './people.ts'
import { until } from './until.ts'

const { sendMessage, subscribe, unsubscribe, updateMessageFlags, listAttachments, deleteAttachment } =
  endpoints.messaging
const { addAlertWords, markOnboardingStep, muteUser, removeAlertWords, unmuteUser, updateSettings } =
  endpoints.users
const { archiveChannel, getChannelId, listSubscriptions, updateChannel, updateSubscriptionSettings } =
  endpoints.messaging
const { createScheduledMessage, listScheduledMessages, updateScheduledMessage, deleteScheduledMessage } =
  endpoints.messaging
const { deleteMessage, editMessage, updateUserTopic } = endpoints.messaging
const PUBLIC = ['north', 'south', 'east']
const PRIVATE = ['cellar', 'attic']
const YEAR_SECONDS = 365 * 86_400
const scheduled = { type: 'direct', content: 'later' } as const

/** What happens to a channel again and again. */
const CHANGES = [
  { description: 'what for' },
  { is_private: true },
  { stream_post_policy: 2 },
  { history_public_to_subscribers: true },
  { is_private: false },
  { is_default_stream: true },
  { description: '*why*', stream_post_policy: 1 },
  { is_default_stream: false },
  { message_retention_days: 30 },
  { message_retention_days: 'realm_default' },
] as const

/** Changes of every kind, going on until stopped. */
export interface Churn {
  stop(): Promise<void>
}

/**
 * Keeps an organization busy: channel and direct messages, subscribing and leaving (oneself and others,
 * public and private channels), flags, settings, reactions, drafts, scheduled messages, edits, moves and deletions,
 * visibility of topics, new users and new channels, names and roles, bots and what their channels are called, all at once. The wanderer's role is now this, now that.
 */
export async function startChurn(
  product: TestSystem,
  observers: readonly ApiClient[],
  wanderer: ApiClient,
): Promise<Churn> {
  const { owner } = product
  const everyone = observers.map(({ userId }) => userId)
  const channels = [...PUBLIC, ...PRIVATE]
  await owner.call(subscribe, { subscriptions: PUBLIC.map((name) => ({ name })), principals: everyone })
  await owner.call(subscribe, { subscriptions: PRIVATE.map((name) => ({ name })), invite_only: true })

  const people = await churnOfPeople(product, wanderer, { open: 'north', secret: 'cellar' })
  const bots = await churnOfBots(owner, observers)
  const details = [...(await churnOfDetails(owner, observers)), ...people.changes, ...bots.changes]
  const changing = await settle(owner, 'changing', everyone)
  const tuned = await settle(owner, 'tuned', everyone)

  const { forever, stop } = createEndless()
  const pick = <T>(from: readonly T[], turn: number): T => from[turn % from.length] as T

  channels.forEach((name) =>
    forever((turn) =>
      owner.call(sendMessage, { type: 'channel', to: name, topic: `t${turn % 3}`, content: `${turn}` }),
    ),
  )
  forever((turn) =>
    owner.call(sendMessage, { type: 'direct', to: [pick(everyone, turn)], content: `${turn}` }),
  )
  forever((turn) =>
    owner.call(sendMessage, { type: 'direct', to: everyone.slice(turn % 3), content: `${turn}` }),
  )
  observers.forEach((observer, index) =>
    forever(async (turn) => {
      const subscriptions = [pick(PUBLIC, turn + index)]
      await observer.call(unsubscribe, { subscriptions })
      await observer.call(subscribe, { subscriptions: subscriptions.map((name) => ({ name })) })
    }),
  )
  forever(async (turn) => {
    const principals = [pick(everyone, turn), pick(everyone, turn + 1)]
    const name = pick(PRIVATE, turn)
    await owner.call(subscribe, { subscriptions: [{ name }], principals })
    await owner.call(unsubscribe, { subscriptions: [name], principals })
  })
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
  })
  // A private channel that its only subscriber leaves comes to an end.
  forever(async (turn) => {
    const subscriptions = [{ name: `den ${turn}` }]
    await owner.call(subscribe, { subscriptions, invite_only: true })
    await owner.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  })
  // Every setting of a channel in turn; now it is a default channel, now private.
  forever((turn) => owner.call(updateChannel, { stream_id: changing, ...pick(CHANGES, turn) }))
  forever((turn) => owner.call(updateChannel, { stream_id: tuned, new_name: `tuned ${turn}` }))
  observers.forEach((observer) =>
    forever((turn) => {
      const muting = { stream_id: tuned, property: 'is_muted', value: turn % 2 === 0 } as const
      const color = { stream_id: tuned, property: 'color', value: `#${100 + (turn % 900)}` } as const
      return observer.call(updateSubscriptionSettings, { subscription_data: [muting, color] })
    }),
  )
  // A channel that is archived with everyone in it and messages unread.
  forever(async (turn) => {
    const stream_id = await settle(owner, `passing ${turn}`, everyone.slice(turn % 4), turn % 2 === 0)
    await observers.at(-1)?.send(updateUserTopic, { stream_id, topic: 'passing', visibility_policy: 1 })
    await owner.call(archiveChannel, { stream_id })
  })
  const ids = await Promise.all(channels.map((stream) => owner.call(getChannelId, { stream })))
  const entered = [...ids.map(({ stream_id }) => stream_id), changing, tuned]
  churnOfTopics([...observers, wanderer], entered).forEach(forever)
  // Messages are edited, wander between topics and channels of all kinds, and some are deleted.
  forever(async (turn) => {
    const [from, to] = [pick(channels, turn), pick(channels, turn + 1 + (turn % 3))]
    const say = (topic: string) =>
      owner.call(sendMessage, { type: 'channel', to: from, topic, content: `roams ${turn}` })
    const { id: message_id } = await say(`t${turn % 3}`)
    const { id: doomedId } = await say('doomed')
    await owner.call(editMessage, { message_id, content: `edited ${turn}` })
    const { stream_id } = await owner.call(getChannelId, { stream: to })
    const propagate_mode = pick(['change_one', 'change_later', 'change_all'] as const, turn)
    await owner.call(editMessage, { message_id, stream_id, topic: `t${(turn + 1) % 3}`, propagate_mode })
    await owner.call(deleteMessage, { message_id: turn % 2 === 0 ? doomedId : message_id })
  })
  // A file that is linked, or not, and deleted.
  forever(async (turn) => {
    const { url } = (await pick(observers, turn).upload({ name: `${turn}.txt`, content: 'x' })).body
    const content = `[a file](${String(url)})`
    await pick(observers, turn).call(sendMessage, { type: 'direct', to: everyone, content })
    const { attachments } = await pick(observers, turn).call(listAttachments, {})
    for (const { id: attachment_id } of attachments) {
      await pick(observers, turn).call(deleteAttachment, { attachment_id })
    }
  })
  details.forEach(forever)
  forever(churnOfOwnAccounts(owner, observers))
  const groups = await churnOfGroups(owner, observers)
  groups.forEach(forever)
  forever(await churnOfProfiles(owner, observers))
  forever(async () => {
    const [newcomer] = (await newUsers(product, 1)) as [ApiClient]
    // They are in the default channels by now, unless messaging takes longer than users waits for it: amid so many changes on a
    // busy machine it does, and must not after the end.
    await until(async () => (await newcomer.call(listSubscriptions, {})).subscriptions.length > 0)
  })
  observers.forEach((observer, index) =>
    forever(async (turn) => {
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
  churnOfOrganization(owner).forEach(forever)
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
  })
  // One whose time comes.
  forever(async () => {
    const { status, body } = await owner.send(createScheduledMessage, {
      ...scheduled,
      to: everyone,
      scheduled_delivery_timestamp: secondsFromNow(5),
    })
    const id = body['scheduled_message_id']
    // A busy machine may not have got to it before its time.
    if (status !== 200 && !String(body['msg']).includes('in the future')) throw new Error(String(body['msg']))
    await until(async () => {
      const { scheduled_messages } = await owner.call(listScheduledMessages, {})
      return !scheduled_messages.some(({ scheduled_message_id }) => scheduled_message_id === id)
    })
  })
  forever((turn) =>
    owner.call(subscribe, { subscriptions: [{ name: `new ${turn}` }], principals: [pick(everyone, turn)] }),
  )
  return {
    stop: async () => {
      await stop()
      await people.settled()
      await bots.settled()
    },
  }
}

/** Creates a channel in which its creator and others are, and returns its ID. */
async function settle(
  creator: ApiClient,
  name: string,
  others: readonly number[],
  invite_only = false,
): Promise<number> {
  const principals = [creator.userId, ...others]
  await creator.call(subscribe, { subscriptions: [{ name }], principals, invite_only })
  return (await creator.call(getChannelId, { stream: name })).stream_id
}
