import type { ClientEvent } from '@tms/test-kit'
import { PersonalModel } from './personal-model.ts'

interface Channel {
  readonly stream_id: number
  readonly name: string
  readonly subscribers?: number[]
}
interface Message {
  readonly id: number
  readonly type: string
  readonly stream_id?: number
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

/**
 * What a careful client keeps of the initial state, and how events change it. Whatever shows that an event
 * was already in the state, or that one is missing, is noted in `problems`.
 */
export class ClientModel {
  readonly problems: string[] = []
  readonly #userId: number
  readonly #users: Set<number>
  readonly #channels: Set<number>
  readonly #subscribed: Set<number>
  readonly #subscribers = new Map<number, Set<number>>()
  /** Unread messages with the channel they are in; 0 for direct ones. */
  readonly #unread = new Map<number, number>()

  /** Visibility policies by channel and topic. */
  readonly #userTopics = new Map<string, number>()
  #mutedTopics: unknown
  readonly #drafts = new Map<number, string>()
  /** Whether a reaction is there, as far as events have told. */
  readonly #reactions = new Map<string, boolean>()
  readonly #submessages = new Set<number>()
  readonly #personal: PersonalModel
  /** Numbers, truths and texts of the organization, by their name without `realm_`. */
  readonly #settings = new Map<string, unknown>()

  #linkifiers: unknown
  #emoji: unknown

  constructor(userId: number, state: Record<string, unknown>) {
    this.#personal = new PersonalModel(state, this.problems)
    this.#userId = userId
    for (const topic of state['user_topics'] as UserTopic[]) {
      this.#userTopics.set(keyOf(topic), topic.visibility_policy)
    }
    this.#mutedTopics = state['muted_topics']
    for (const { id, content } of state['drafts'] as Draft[]) this.#drafts.set(id, content)
    this.#users = new Set((state['realm_users'] as { user_id: number }[]).map(({ user_id }) => user_id))
    this.#channels = new Set((state['streams'] as Channel[]).map(({ stream_id }) => stream_id))
    const subscriptions = state['subscriptions'] as Channel[]
    this.#subscribed = new Set(subscriptions.map(({ stream_id }) => stream_id))
    const others = [...(state['unsubscribed'] as Channel[]), ...(state['never_subscribed'] as Channel[])]
    for (const { stream_id, subscribers } of [...subscriptions, ...others]) {
      this.#subscribers.set(stream_id, new Set(subscribers))
    }
    for (const [key, value] of Object.entries(state)) {
      if (key.startsWith('realm_') && (value === null || typeof value !== 'object'))
        this.#settings.set(key.slice('realm_'.length), value)
    }
    this.#linkifiers = state['realm_linkifiers']
    this.#emoji = state['realm_emoji']
    const unread = state['unread_msgs'] as Record<
      string,
      { stream_id?: number; unread_message_ids: number[] }[]
    >
    for (const kind of ['pms', 'streams', 'huddles']) {
      for (const { stream_id, unread_message_ids } of unread[kind] ?? []) {
        for (const id of unread_message_ids) this.#unread.set(id, stream_id ?? 0)
      }
    }
  }

  apply(event: ClientEvent): void {
    const kind = event['op'] === undefined ? event.type : `${event.type} ${event['op']}`
    if (this.#personal.apply(kind, event)) return
    switch (kind) {
      case 'message':
        return this.#message(event['message'] as Message, event['flags'] as string[])
      case 'realm_user add':
        return this.#add(this.#users, (event['person'] as { user_id: number }).user_id, 'user')
      case 'realm update':
        this.#settings.set(event['property'] as string, event['value'])
        return
      case 'realm update_dict':
        for (const [name, value] of Object.entries(event['data'] as object)) this.#settings.set(name, value)
        return
      case 'realm_linkifiers':
        this.#linkifiers = event['realm_linkifiers']
        return
      case 'realm_emoji update':
        this.#emoji = event['realm_emoji']
        return
      case 'stream create':
        for (const { stream_id } of event['streams'] as Channel[]) {
          this.#add(this.#channels, stream_id, 'channel')
          this.#subscribers.set(stream_id, new Set())
        }
        return
      case 'stream delete':
        for (const { stream_id } of event['streams'] as Channel[]) {
          this.#remove(this.#channels, stream_id, 'channel')
          this.#subscribers.delete(stream_id)
        }
        return
      case 'subscription add':
        for (const { stream_id, subscribers } of event['subscriptions'] as Channel[]) {
          this.#add(this.#subscribed, stream_id, 'subscription')
          this.#subscribers.set(stream_id, new Set(subscribers))
        }
        return
      case 'subscription remove':
        for (const { stream_id } of event['subscriptions'] as Channel[]) this.#leave(stream_id)
        return
      case 'subscription peer_add':
      case 'subscription peer_remove':
        return this.#peers(event)
      case 'update_message_flags add':
        for (const id of event['messages'] as number[]) if (event['flag'] === 'read') this.#unread.delete(id)
        return
      case 'update_message_flags remove':
        return this.#markUnread(event)
      case 'attachment add':
      case 'attachment update':
      case 'attachment remove':
        // A client asks for its files when it shows them.
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

  /** What must be the same for every client of this user in the end. */
  comparable(): Record<string, unknown> {
    const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
    return {
      users: sorted(this.#users),
      channels: sorted(this.#channels),
      subscribed: sorted(this.#subscribed),
      subscribers: [...this.#subscribers]
        .map(([channelId, users]) => [channelId, ...sorted(users)])
        .sort(([a = 0], [b = 0]) => a - b),
      unread: sorted(this.#unread.keys()),
      userTopics: [...this.#userTopics].sort(([a], [b]) => a.localeCompare(b)),
      mutedTopics: this.#mutedTopics,
      drafts: [...this.#drafts].sort(([a], [b]) => a - b),
      ...this.#personal.comparable(),
      linkifiers: this.#linkifiers,
      emoji: this.#emoji,
      settings: [...this.#settings].sort(([a], [b]) => (a < b ? -1 : 1)),
    }
  }

  #message(message: Message, flags: readonly string[]): void {
    if (this.#unread.has(message.id)) this.problems.push(`message ${message.id} came twice`)
    if (message.type === 'stream' && !this.#subscribed.has(message.stream_id ?? 0)) {
      this.problems.push(`message ${message.id} of a channel that is not subscribed`)
    }
    if (!flags.includes('read')) this.#unread.set(message.id, message.stream_id ?? 0)
  }

  #userTopic(topic: UserTopic): void {
    const key = keyOf(topic)
    const before = this.#userTopics.get(key) ?? 0
    if (before === topic.visibility_policy) this.problems.push(`policy ${before} of ${key} came twice`)
    if (topic.visibility_policy === 0) this.#userTopics.delete(key)
    else this.#userTopics.set(key, topic.visibility_policy)
  }

  #markUnread(event: ClientEvent): void {
    const details = (event['message_details'] ?? {}) as Record<string, { stream_id?: number }>
    for (const id of event['messages'] as number[]) {
      if (event['flag'] === 'read') this.#unread.set(id, details[id]?.stream_id ?? 0)
    }
  }

  #leave(channelId: number): void {
    this.#remove(this.#subscribed, channelId, 'subscription')
    this.#subscribers.get(channelId)?.delete(this.#userId)
    for (const [id, where] of this.#unread) if (where === channelId) this.#unread.delete(id)
  }

  #peers(event: ClientEvent): void {
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

  #remove(set: Set<number>, id: number, what: string): void {
    if (!set.delete(id)) this.problems.push(`${what} ${id} went without having been there`)
  }
}

const keyOf = ({ stream_id, topic_name }: UserTopic): string => `${stream_id} ${topic_name.toLowerCase()}`
