import type { ClientEvent } from '@tms/test-kit'

interface Channel {
  readonly stream_id: number
  readonly name: string
  readonly subscribers?: number[]
}
interface Scheduled {
  readonly scheduled_message_id: number
}
interface Message {
  readonly id: number
  readonly type: string
  readonly stream_id?: number
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
  /** Scheduled messages as JSON. */
  readonly #scheduled = new Map<number, string>()

  constructor(userId: number, state: Record<string, unknown>) {
    this.#userId = userId
    this.#users = new Set((state['realm_users'] as { user_id: number }[]).map(({ user_id }) => user_id))
    this.#channels = new Set((state['streams'] as Channel[]).map(({ stream_id }) => stream_id))
    const subscriptions = state['subscriptions'] as Channel[]
    this.#subscribed = new Set(subscriptions.map(({ stream_id }) => stream_id))
    const others = [...(state['unsubscribed'] as Channel[]), ...(state['never_subscribed'] as Channel[])]
    for (const { stream_id, subscribers } of [...subscriptions, ...others]) {
      this.#subscribers.set(stream_id, new Set(subscribers))
    }
    for (const message of state['scheduled_messages'] as Scheduled[]) this.#schedule(message)
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
    switch (kind) {
      case 'message':
        return this.#message(event['message'] as Message, event['flags'] as string[])
      case 'realm_user add':
        return this.#add(this.#users, (event['person'] as { user_id: number }).user_id, 'user')
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
      case 'scheduled_messages add':
        for (const message of event['scheduled_messages'] as Scheduled[]) this.#schedule(message)
        return
      case 'scheduled_messages update':
        return this.#reschedule(event['scheduled_message'] as Scheduled)
      case 'scheduled_messages remove':
        return this.#unschedule(event['scheduled_message_id'] as number)
      case 'attachment add':
      case 'attachment update':
      case 'attachment remove':
        // A client asks for its files when it shows them.
        return
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
    if (!flags.includes('read')) this.#unread.set(message.id, message.stream_id ?? 0)
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
