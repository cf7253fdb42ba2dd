import { channelPermissionNames } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'
import { BotsModel } from './bots-model.ts'
import { GroupModel } from './group-model.ts'
import { OrganizationModel } from './organization-model.ts'
import { PersonalModel } from './personal-model.ts'
import { UserModel } from './user-model.ts'

interface Channel {
  readonly stream_id: number
  readonly name: string
  readonly subscribers?: number[]
  readonly [field: string]: unknown
}
interface Scheduled {
  readonly scheduled_message_id: number
}
interface Message {
  readonly id: number
  readonly type: string
  readonly stream_id?: number
  readonly subject: string
}

interface UserTopic {
  readonly stream_id: number
  readonly topic_name: string
  readonly visibility_policy: number
}
interface Draft {
  readonly id: number
  readonly content: string
}
/** Fields of a channel and of a subscription that clients receive when they change. */
const CHANNEL_FIELDS = [
  'name',
  'description',
  'rendered_description',
  'first_message_id',
  'invite_only',
  'is_web_public',
  'history_public_to_subscribers',
  'stream_post_policy',
  'is_announcement_only',
  'message_retention_days',
  ...channelPermissionNames,
  'is_archived',
  'is_recently_active',
] as const
const SETTING_FIELDS = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

type Fields = Record<string, unknown>

const only = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, record[name]]))

/**
 * The initial state as a careful client stores it, and how events change it. Evidence that an event was already in the state,
 * or is missing, is recorded in `problems`.
 */
export class ClientModel {
  readonly problems: string[] = []
  readonly #userId: number
  readonly #channels: Map<number, Fields>
  /** Settings by channel. */
  readonly #subscribed: Map<number, Fields>
  #defaultChannels: readonly number[]
  readonly #subscribers = new Map<number, Set<number>>()
  /** Unread messages with their channel; 0 for direct ones. */
  readonly #unread = new Map<number, number>()
  /** Their topics; empty for direct ones. */
  readonly #topics = new Map<number, string>()
  /** The state contains no unread messages before this ID: there were too many. */
  readonly unreadFrom: number = 0
  /** Scheduled messages as JSON. */
  readonly #scheduled = new Map<number, string>()

  /** Visibility policies by channel and topic. */
  readonly #userTopics = new Map<string, number>()
  #mutedTopics: unknown
  readonly #drafts = new Map<number, string>()
  /** Whether a reaction exists, according to events since the last time messages may have been hidden. */
  readonly #reactions = new Map<string, boolean>()
  readonly #submessages = new Set<number>()
  readonly #personal: PersonalModel
  readonly #users: UserModel
  readonly #groups: GroupModel
  readonly #bots: BotsModel
  readonly #organization: OrganizationModel

  /** Messages whose deletion was delivered. */
  readonly #deleted = new Set<number>()

  constructor(userId: number, state: Record<string, unknown>) {
    this.#personal = new PersonalModel(state, this.problems)
    this.#users = new UserModel(state, this.problems)
    this.#groups = new GroupModel(state, this.problems)
    this.#bots = new BotsModel(state, this.problems)
    this.#organization = new OrganizationModel(state, this.problems)
    this.#userId = userId
    for (const topic of state['user_topics'] as UserTopic[]) {
      this.#userTopics.set(keyOf(topic), topic.visibility_policy)
    }
    this.#mutedTopics = state['muted_topics']
    for (const { id, content } of state['drafts'] as Draft[]) this.#drafts.set(id, content)
    this.#channels = new Map(
      (state['streams'] as Channel[]).map((channel) => [channel.stream_id, only(channel, CHANNEL_FIELDS)]),
    )
    const subscriptions = state['subscriptions'] as Channel[]
    this.#subscribed = new Map(
      subscriptions.map((channel) => [channel.stream_id, only(channel, SETTING_FIELDS)]),
    )
    this.#defaultChannels = state['realm_default_streams'] as number[]
    const others = [...(state['unsubscribed'] as Channel[]), ...(state['never_subscribed'] as Channel[])]
    for (const { stream_id, subscribers } of [...subscriptions, ...others]) {
      this.#subscribers.set(stream_id, new Set(subscribers))
    }
    for (const message of state['scheduled_messages'] as Scheduled[]) this.#schedule(message)
    const unread = state['unread_msgs'] as Record<
      string,
      { stream_id?: number; topic?: string; unread_message_ids: number[] }[]
    >
    const { old_unreads_missing: isCut } = state['unread_msgs'] as { old_unreads_missing: boolean }
    for (const kind of ['pms', 'streams', 'huddles']) {
      for (const { stream_id, topic, unread_message_ids } of unread[kind] ?? []) {
        for (const id of unread_message_ids) this.#setUnread(id, stream_id, topic)
      }
    }
    if (isCut) this.unreadFrom = [...this.#unread.keys()].reduce((least, id) => Math.min(least, id))
  }

  apply(event: ClientEvent): void {
    const kind = event['op'] === undefined ? event.type : `${event.type} ${event['op']}`
    if (this.#personal.apply(kind, event) || this.#users.apply(kind, event)) return
    if (this.#groups.apply(event) || this.#bots.apply(kind, event)) return
    if (this.#organization.apply(kind, event)) return
    switch (kind) {
      case 'message':
        return this.#message(event['message'] as Message, event['flags'] as string[])
      case 'stream create':
        for (const channel of event['streams'] as Channel[]) {
          this.#put(this.#channels, channel.stream_id, only(channel, CHANNEL_FIELDS), 'channel')
          this.#subscribers.set(channel.stream_id, new Set())
        }
        return
      case 'stream update':
        return this.#updateChannel(event)
      case 'stream delete':
        for (const { stream_id } of event['streams'] as Channel[]) {
          this.#remove(this.#channels, stream_id, 'channel')
          this.#subscribers.delete(stream_id)
          this.#forgetTopics(stream_id)
          // Archiving a channel ends its subscriptions without another event.
          if (this.#subscribed.delete(stream_id)) this.#checkRead(stream_id)
        }
        this.#reactions.clear()
        return
      case 'default_streams':
        this.#defaultChannels = event['default_streams'] as number[]
        return
      case 'subscription add':
        // Hidden messages may be visible there.
        this.#deleted.clear()
        for (const channel of event['subscriptions'] as Channel[]) {
          const { stream_id, subscribers } = channel
          this.#put(this.#subscribed, stream_id, only(channel, SETTING_FIELDS), 'subscription')
          this.#subscribers.set(stream_id, new Set(subscribers))
        }
        return
      case 'subscription update':
        return this.#updateSubscription(event)
      case 'subscription remove':
        for (const { stream_id } of event['subscriptions'] as Channel[]) this.#leave(stream_id)
        return
      case 'subscription peer_add':
      case 'subscription peer_remove':
        return this.#updateSubscribers(event)
      case 'update_message_flags add':
        for (const id of event['messages'] as number[]) if (event['flag'] === 'read') this.#unread.delete(id)
        return
      case 'update_message_flags remove':
        return this.#markUnread(event)
      case 'scheduled_messages add':
        for (const message of event['scheduled_messages'] as Scheduled[]) this.#schedule(message)
        return
      case 'scheduled_messages update':
        return this.#reschedule(event['scheduled_message'] as Scheduled)
      case 'scheduled_messages remove':
        return this.#unschedule(event['scheduled_message_id'] as number)
      case 'update_message':
        return this.#update(event)
      case 'delete_message':
        return this.#deleteMessages(event)
      case 'attachment add':
      case 'attachment update':
      case 'attachment remove':
        // A client requests its files when it shows them.
        return
      case 'user_topic':
        return this.#userTopic(event as unknown as UserTopic)
      case 'muted_topics':
        this.#mutedTopics = event['muted_topics']
        return
      case 'drafts add':
        for (const { id, content } of event['drafts'] as Draft[]) {
          if (this.#drafts.has(id)) this.problems.push(`draft ${id} came twice`)
          this.#drafts.set(id, content)
        }
        return
      case 'drafts update': {
        const { id, content } = event['draft'] as Draft
        if (!this.#drafts.has(id)) this.problems.push(`draft ${id} changed without having been there`)
        this.#drafts.set(id, content)
        return
      }
      case 'drafts remove':
        if (!this.#drafts.delete(event['draft_id'] as number)) {
          this.problems.push(`draft ${event['draft_id']} went without having been there`)
        }
        return
      case 'reaction add':
      case 'reaction remove': {
        const key = `${event['message_id']} ${event['user_id']} ${event['reaction_type']} ${event['emoji_code']}`
        const isThere = event['op'] === 'add'
        if (this.#reactions.get(key) === isThere) this.problems.push(`${kind} ${key} came twice`)
        this.#reactions.set(key, isThere)
        return
      }
      case 'submessage':
        return this.#add(this.#submessages, event['submessage_id'] as number, 'submessage')
      default:
        this.problems.push(`unknown event ${kind}`)
    }
  }

  /** The part of the state that all clients of this user must have in common in the end; unread messages from this ID on. */
  comparable(unreadFrom = this.unreadFrom): Record<string, unknown> {
    const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
    return {
      channels: byId(this.#channels),
      subscribed: byId(this.#subscribed),
      defaultChannels: sorted(this.#defaultChannels),
      subscribers: [...this.#subscribers]
        .map(([channelId, users]) => [channelId, ...sorted(users)])
        .sort(([a = 0], [b = 0]) => a - b),
      unread: [...this.#unread]
        .filter(([id]) => id >= unreadFrom)
        .map(([id, channelId]) => [id, channelId, this.#topics.get(id)] as const)
        .sort(([a], [b]) => a - b),
      userTopics: [...this.#userTopics].sort(([a], [b]) => a.localeCompare(b)),
      mutedTopics: this.#mutedTopics,
      drafts: [...this.#drafts].sort(([a], [b]) => a - b),
      ...this.#personal.comparable(),
      ...this.#users.comparable(),
      groups: this.#groups.comparable(),
      ...this.#bots.comparable(),
      ...this.#organization.comparable(),
      scheduled: [...this.#scheduled].sort(([a], [b]) => a - b),
    }
  }

  #schedule(message: Scheduled): void {
    const { scheduled_message_id: id } = message
    if (this.#scheduled.has(id)) this.problems.push(`scheduled message ${id} came twice`)
    this.#scheduled.set(id, JSON.stringify(message))
  }

  #reschedule(message: Scheduled): void {
    this.#unschedule(message.scheduled_message_id)
    this.#schedule(message)
  }

  #unschedule(id: number): void {
    if (!this.#scheduled.delete(id)) this.problems.push(`scheduled message ${id} was not there`)
  }

  #message(message: Message, flags: readonly string[]): void {
    if (this.#unread.has(message.id)) this.problems.push(`message ${message.id} came twice`)
    if (message.type === 'stream' && !this.#subscribed.has(message.stream_id ?? 0)) {
      this.problems.push(`message ${message.id} of a channel that is not subscribed`)
    }
    if (!flags.includes('read')) this.#setUnread(message.id, message.stream_id, message.subject)
  }

  #setUnread(id: number, channelId = 0, topic = ''): void {
    this.#unread.set(id, channelId)
    this.#topics.set(id, topic.toLowerCase())
  }

  #userTopic(topic: UserTopic): void {
    const key = keyOf(topic)
    const before = this.#userTopics.get(key) ?? 0
    if (before === topic.visibility_policy) this.problems.push(`policy ${before} of ${key} came twice`)
    if (topic.visibility_policy === 0) this.#userTopics.delete(key)
    else this.#userTopics.set(key, topic.visibility_policy)
  }

  #markUnread(event: ClientEvent): void {
    const details = (event['message_details'] ?? {}) as Record<string, { stream_id?: number; topic?: string }>
    for (const id of event['messages'] as number[]) {
      if (event['flag'] === 'read') this.#setUnread(id, details[id]?.stream_id, details[id]?.topic)
    }
  }

  /** Unread messages that moved stay unread in the other channel if the user is subscribed there. */
  #update(event: ClientEvent): void {
    const to = event['new_stream_id'] as number | undefined
    const orig = event['stream_id'] as number | undefined
    const topic = event['subject'] as string | undefined
    for (const id of event['message_ids'] as number[]) {
      // It may have moved back to where this user can read it.
      this.#deleted.delete(id)
      const where = this.#unread.get(id)
      if (where !== undefined && where !== (orig ?? 0)) this.problems.push(`message ${id} was not in ${orig}`)
      if (where !== undefined && topic !== undefined) this.#topics.set(id, topic.toLowerCase())
      if (where === undefined || to === undefined) continue
      if (this.#subscribed.has(to)) this.#unread.set(id, to)
      else this.#unread.delete(id)
    }
  }

  #deleteMessages(event: ClientEvent): void {
    const ids = (event['message_ids'] ?? [event['message_id']]) as number[]
    for (const id of ids) {
      if (this.#deleted.has(id)) this.problems.push(`message ${id} was deleted twice`)
      this.#deleted.add(id)
      this.#unread.delete(id)
    }
    this.#reactions.clear()
  }

  #leave(channelId: number): void {
    this.#remove(this.#subscribed, channelId, 'subscription')
    this.#subscribers.get(channelId)?.delete(this.#userId)
    this.#checkRead(channelId)
    this.#reactions.clear()
  }

  #forgetTopics(channelId: number): void {
    for (const key of this.#userTopics.keys()) {
      if (key.startsWith(`${channelId} `)) this.#userTopics.delete(key)
    }
  }

  /** Unread messages of a channel are marked as read before the user leaves it, or it is archived. */
  #checkRead(channelId: number): void {
    const left = [...this.#unread].filter(([, where]) => where === channelId)
    for (const [id] of left)
      this.problems.push(`message ${id} is unread in channel ${channelId}, which was left`)
  }

  #updateChannel({
    type: _type,
    op: _op,
    id: _id,
    stream_id,
    name,
    property,
    value,
    ...more
  }: ClientEvent): void {
    const channel = this.#channels.get(stream_id as number)
    if (channel?.['name'] !== name) this.problems.push(`${property} of channel ${stream_id}, called ${name}`)
    Object.assign(channel ?? {}, { [property as string]: value }, more)
    if (property !== 'is_archived') return
    this.#forgetTopics(stream_id as number)
    this.#checkRead(stream_id as number)
  }

  #updateSubscription({ stream_id, property, value }: ClientEvent): void {
    const settings = this.#subscribed.get(stream_id as number)
    if (!settings) this.problems.push(`${property} of channel ${stream_id}, which is not subscribed`)
    Object.assign(settings ?? {}, { [property as string]: value })
  }

  #updateSubscribers(event: ClientEvent): void {
    for (const channelId of event['stream_ids'] as number[]) {
      const subscribers = this.#subscribers.get(channelId)
      if (!subscribers) {
        this.problems.push(`${event['op']} for channel ${channelId}, which is not known`)
        continue
      }
      for (const userId of event['user_ids'] as number[]) {
        if (event['op'] === 'peer_add') this.#add(subscribers, userId, `subscriber of ${channelId}`)
        else this.#remove(subscribers, userId, `subscriber of ${channelId}`)
      }
    }
  }

  #add(set: Set<number>, id: number, what: string): void {
    if (set.has(id)) this.problems.push(`${what} ${id} came twice`)
    set.add(id)
  }

  #put(map: Map<number, Fields>, id: number, fields: Fields, what: string): void {
    if (map.has(id)) this.problems.push(`${what} ${id} came twice`)
    map.set(id, fields)
  }

  #remove(set: { delete(id: number): boolean }, id: number, what: string): void {
    if (!set.delete(id)) this.problems.push(`${what} ${id} went without having been there`)
  }
}

const keyOf = ({ stream_id, topic_name }: UserTopic): string => `${stream_id} ${topic_name.toLowerCase()}`

const byId = (map: ReadonlyMap<number, Fields>): [number, Fields][] => [...map].sort(([a], [b]) => a - b)
