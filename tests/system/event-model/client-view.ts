import { allDomainEvents, domainEvents, type LogEntry, type PayloadOf, Role } from '@tms/contracts'

const { messaging, realm, users } = domainEvents
type Payload<E> = PayloadOf<E>

/** What one client is told of an entry, in short: what kind of event, about what. */
export interface Told {
  readonly key: string
  readonly type: string
}

interface Start {
  readonly userId: number
  /** As messaging has heard. */
  readonly role: number
  readonly channelIds: Iterable<number>
  readonly hearsPublicMessages: boolean
}

type Reach = NonNullable<Payload<typeof messaging.messageUpdated>['channel']>
type Channel = Payload<typeof messaging.channelCreated>['channel']

const told = (type: string, ...about: unknown[]): Told => ({
  type,
  key: [type, ...about.map(String)].join(' '),
})

/** The sequential model of one client: what its user is and is in, entry after entry, and what it is told of each. */
export class ClientView {
  readonly #userId: number
  readonly #channelIds: Set<number>
  readonly #hearsPublicMessages: boolean
  #role: number

  constructor({ userId, role, channelIds, hearsPublicMessages }: Start) {
    this.#userId = userId
    this.#role = role
    this.#channelIds = new Set(channelIds)
    this.#hearsPublicMessages = hearsPublicMessages
  }

  /** Takes the next entry. Throws on one that the model doesn't know. */
  take({ event, payload }: LogEntry): readonly Told[] {
    switch (event) {
      case messaging.messageSent.name:
        return this.#message(payload as Payload<typeof messaging.messageSent>)
      case messaging.messageUpdated.name:
        return this.#messageUpdate(payload as Payload<typeof messaging.messageUpdated>)
      case messaging.messagesDeleted.name:
        return this.#messageDeletion(payload as Payload<typeof messaging.messagesDeleted>)
      case messaging.reactionUpdated.name: {
        const { op, message_id, user, holders } = payload as Payload<typeof messaging.reactionUpdated>
        const isIn = this.#channelIds.has(holders.channel_id ?? 0) || holders.user_ids.includes(this.#userId)
        return isIn ? [told('reaction', op, message_id, user.user_id)] : []
      }
      case messaging.messageFlagsUpdated.name: {
        const flags = payload as Payload<typeof messaging.messageFlagsUpdated>
        return flags.user_id === this.#userId
          ? [told('update_message_flags', flags.op, flags.flag, flags.messages)]
          : []
      }
      case messaging.typingChanged.name: {
        const { user_ids, op, sender, place } = payload as Payload<typeof messaging.typingChanged>
        const where = 'topic' in place ? place.topic : ''
        return user_ids.includes(this.#userId) ? [told('typing', op, sender.user_id, where)] : []
      }
      case messaging.userTopicUpdated.name: {
        const { changes, topic_name } = payload as Payload<typeof messaging.userTopicUpdated>
        return changes.some(({ user_id }) => user_id === this.#userId)
          ? [told('muted_topics'), told('user_topic', topic_name)]
          : []
      }
      case messaging.userTopicsRefreshed.name: {
        const { users: those } = payload as Payload<typeof messaging.userTopicsRefreshed>
        const own = those.find(({ user_id }) => user_id === this.#userId)
        const lists = own?.muted_topics ? [told('muted_topics')] : []
        return [...lists, ...(own?.shown ?? []).map(({ topic_name }) => told('user_topic', topic_name))]
      }
      case messaging.channelCreated.name: {
        const { channel } = payload as Payload<typeof messaging.channelCreated>
        return this.#canSeeUnsubscribed(channel) ? [told('stream', 'create', channel.stream_id)] : []
      }
      case messaging.subscribersAdded.name:
        return this.#arrivals(payload as Payload<typeof messaging.subscribersAdded>)
      case messaging.subscribersRemoved.name:
        return this.#departures(payload as Payload<typeof messaging.subscribersRemoved>)
      case messaging.channelVisibilityChanged.name:
        return this.#sight(payload as Payload<typeof messaging.channelVisibilityChanged>)
      case users.userUpdated.name: {
        const { user_id, changes } = payload as Payload<typeof users.userUpdated>
        return changes.map(({ kind }) => told('realm_user', user_id, kind))
      }
      case users.alertWordsUpdated.name: {
        const { user_id } = payload as Payload<typeof users.alertWordsUpdated>
        return user_id === this.#userId ? [told('alert_words')] : []
      }
      case realm.linkifiersChanged.name:
        return [told('realm_linkifiers')]
      case realm.realmUpdated.name: {
        const { changes } = payload as Payload<typeof realm.realmUpdated>
        return Object.keys(changes).map((property) => told('realm', 'update', property))
      }
      case users.emailVisibilityChanged.name: {
        const { user_id, addresses } = payload as Payload<typeof users.emailVisibilityChanged>
        if (user_id !== this.#userId) return []
        return addresses.map((address) => told('realm_user', address.user_id, 'delivery_email'))
      }
      case users.systemGroupMembersChanged.name: {
        const { removed, added } = payload as Payload<typeof users.systemGroupMembersChanged>
        return [
          ...removed.map(({ group_id, user_ids }) =>
            told('user_group', 'remove_members', group_id, user_ids),
          ),
          ...added.map(({ group_id, user_ids }) => told('user_group', 'add_members', group_id, user_ids)),
        ]
      }
      default:
        return this.#unknown(event, payload)
    }
  }

  /** An event for services alone tells clients nothing. */
  #unknown(event: string, payload: unknown): readonly Told[] {
    const declared = allDomainEvents.find(({ name }) => name === event)
    const audience = declared?.audience(payload as never) ?? []
    if (audience.length > 0) throw new Error(`the model doesn't know what clients are told of ${event}`)
    return []
  }

  #message({ message, recipient_user_ids, is_public_channel }: Payload<typeof messaging.messageSent>) {
    const isHeld = recipient_user_ids?.includes(this.#userId) ?? this.#channelIds.has(message.stream_id ?? 0)
    const isOverheard = this.#hearsPublicMessages && is_public_channel && this.#role <= Role.member
    return isHeld || (recipient_user_ids === null && isOverheard) ? [told('message', message.id)] : []
  }

  #messageUpdate(payload: Payload<typeof messaging.messageUpdated>): readonly Told[] {
    const { update, channel, new_channel, holder_ids } = payload
    if (new_channel && !this.#reads(new_channel)) return []
    const isConcerned =
      holder_ids.includes(this.#userId) ||
      (channel?.shares_history === true && this.#channelIds.has(channel.id)) ||
      (new_channel !== null && this.#channelIds.has(new_channel.id))
    return isConcerned ? [told('update_message', update.message_id)] : []
  }

  #messageDeletion(payload: Payload<typeof messaging.messagesDeleted>): readonly Told[] {
    const { message_ids, channel, moved_to, concerns_subscribers, user_ids } = payload
    if (moved_to && this.#reads(moved_to)) return []
    const isConcerned =
      user_ids.includes(this.#userId) || (concerns_subscribers && this.#channelIds.has(channel?.id ?? 0))
    return isConcerned ? [told('delete_message', message_ids)] : []
  }

  #arrivals({ channel, added }: Payload<typeof messaging.subscribersAdded>): readonly Told[] {
    const { stream_id } = channel
    const userIds = added.map(({ user_id }) => user_id)
    const isSeen = this.#canSeeUnsubscribed(channel)
    if (userIds.includes(this.#userId)) {
      this.#channelIds.add(stream_id)
      const own = told('subscription', 'add', stream_id)
      return isSeen ? [own] : [told('stream', 'create', stream_id), own]
    }
    return isSeen || this.#channelIds.has(stream_id)
      ? [told('subscription', 'peer_add', stream_id, userIds)]
      : []
  }

  #departures({ channel, user_ids }: Payload<typeof messaging.subscribersRemoved>): readonly Told[] {
    const { stream_id } = channel
    const isSeen = this.#canSeeUnsubscribed(channel)
    const isOwn = user_ids.includes(this.#userId)
    if (isOwn) this.#channelIds.delete(stream_id)
    const own = isOwn ? [told('subscription', 'remove', stream_id)] : []
    if (isOwn && !isSeen) return [...own, told('stream', 'delete', stream_id)]
    const others = user_ids.filter((userId) => userId !== this.#userId)
    const seesOthers = others.length > 0 && (isSeen || this.#channelIds.has(stream_id))
    return [...own, ...(seesOthers ? [told('subscription', 'peer_remove', stream_id, others)] : [])]
  }

  #sight({
    user_id,
    role,
    gained,
    lost,
    default_channels,
  }: Payload<typeof messaging.channelVisibilityChanged>) {
    if (user_id !== this.#userId) return []
    this.#role = role
    const isNew = ({ stream_id }: Channel) => !this.#channelIds.has(stream_id)
    return [
      ...gained.flatMap(({ channel, subscribers }) => {
        if (!isNew(channel)) return []
        const created = told('stream', 'create', channel.stream_id)
        if (subscribers.length === 0) return [created]
        return [created, told('subscription', 'peer_add', channel.stream_id, subscribers)]
      }),
      ...lost.filter(isNew).map(({ stream_id }) => told('stream', 'delete', stream_id)),
      ...(default_channels === null ? [] : [told('default_streams')]),
    ]
  }

  #canSeeUnsubscribed({ invite_only }: Channel): boolean {
    return this.#role <= (invite_only ? Role.administrator : Role.member)
  }

  #reads({ id, invite_only }: Reach): boolean {
    return this.#channelIds.has(id) || (!invite_only && this.#role <= Role.member)
  }
}
