import { allDomainEvents, domainEvents, type LogEntry, type PayloadOf, Role } from '@tms/contracts'

const { messaging, realm, users } = domainEvents
type Payload<E> = PayloadOf<E>

/** A client event in short: its type and subject. */
export interface ExpectedEvent {
  readonly key: string
  readonly type: string
}

interface Start {
  readonly userId: number
  /** As messaging knows it. */
  readonly role: number
  readonly channelIds: Iterable<number>
  readonly receivesPublicMessages: boolean
}

type ChannelAccess = NonNullable<Payload<typeof messaging.messageUpdated>['channel']>
type Channel = Payload<typeof messaging.channelCreated>['channel']
type Viewers = Payload<typeof messaging.channelCreated>['viewers']

const expectedEvent = (type: string, ...about: unknown[]): ExpectedEvent => ({
  type,
  key: [type, ...about.map(String)].join(' '),
})

/**
 * The sequential model of one client: the user's role and subscriptions, entry by entry, and the events that follow from each.
 */
export class ClientView {
  readonly #userId: number
  readonly #channelIds: Set<number>
  readonly #receivesPublicMessages: boolean
  #role: number

  constructor({ userId, role, channelIds, receivesPublicMessages }: Start) {
    this.#userId = userId
    this.#role = role
    this.#channelIds = new Set(channelIds)
    this.#receivesPublicMessages = receivesPublicMessages
  }

  /** Applies the next entry. Throws on an entry that the model does not know. */
  apply({ event, payload }: LogEntry): readonly ExpectedEvent[] {
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
        return isIn ? [expectedEvent('reaction', op, message_id, user.user_id)] : []
      }
      case messaging.messageFlagsUpdated.name: {
        const flags = payload as Payload<typeof messaging.messageFlagsUpdated>
        return flags.user_id === this.#userId
          ? [expectedEvent('update_message_flags', flags.op, flags.flag, flags.messages)]
          : []
      }
      case messaging.typingChanged.name: {
        const { user_ids, op, sender, target } = payload as Payload<typeof messaging.typingChanged>
        const where = 'topic' in target ? target.topic : ''
        return user_ids.includes(this.#userId) ? [expectedEvent('typing', op, sender.user_id, where)] : []
      }
      case messaging.userTopicUpdated.name: {
        const { changes, topic_name } = payload as Payload<typeof messaging.userTopicUpdated>
        return changes.some(({ user_id }) => user_id === this.#userId)
          ? [expectedEvent('muted_topics'), expectedEvent('user_topic', topic_name)]
          : []
      }
      case messaging.userTopicsRefreshed.name: {
        const { users: changed } = payload as Payload<typeof messaging.userTopicsRefreshed>
        const own = changed.find(({ user_id }) => user_id === this.#userId)
        const lists = own?.muted_topics ? [expectedEvent('muted_topics')] : []
        return [
          ...lists,
          ...(own?.shown ?? []).map(({ topic_name }) => expectedEvent('user_topic', topic_name)),
        ]
      }
      case messaging.channelCreated.name: {
        const { channel, viewers } = payload as Payload<typeof messaging.channelCreated>
        return this.#canSeeUnsubscribed(channel, viewers)
          ? [expectedEvent('stream', 'create', channel.stream_id)]
          : []
      }
      case messaging.subscribersAdded.name:
        return this.#subscribersAdded(payload as Payload<typeof messaging.subscribersAdded>)
      case messaging.subscribersRemoved.name:
        return this.#subscribersRemoved(payload as Payload<typeof messaging.subscribersRemoved>)
      case messaging.channelVisibilityChanged.name:
        return this.#visibilityChange(payload as Payload<typeof messaging.channelVisibilityChanged>)
      case users.userUpdated.name: {
        const { user_id, changes } = payload as Payload<typeof users.userUpdated>
        return changes.map(({ kind }) => expectedEvent('realm_user', user_id, kind))
      }
      case users.alertWordsUpdated.name: {
        const { user_id } = payload as Payload<typeof users.alertWordsUpdated>
        return user_id === this.#userId ? [expectedEvent('alert_words')] : []
      }
      case realm.linkifiersChanged.name:
        return [expectedEvent('realm_linkifiers')]
      case realm.realmUpdated.name: {
        const { changes } = payload as Payload<typeof realm.realmUpdated>
        return Object.keys(changes).map((property) => expectedEvent('realm', 'update', property))
      }
      case users.emailVisibilityChanged.name: {
        const { user_id, addresses } = payload as Payload<typeof users.emailVisibilityChanged>
        if (user_id !== this.#userId) return []
        return addresses.map((address) => expectedEvent('realm_user', address.user_id, 'delivery_email'))
      }
      case users.systemGroupMembersChanged.name: {
        const { removed, added } = payload as Payload<typeof users.systemGroupMembersChanged>
        return [
          ...removed.map(({ group_id, user_ids }) =>
            expectedEvent('user_group', 'remove_members', group_id, user_ids),
          ),
          ...added.map(({ group_id, user_ids }) =>
            expectedEvent('user_group', 'add_members', group_id, user_ids),
          ),
        ]
      }
      case users.groupMemberActivityChanged.name: {
        const { user_id, is_active, groups } = payload as Payload<typeof users.groupMemberActivityChanged>
        const op = is_active ? 'add_members' : 'remove_members'
        return groups.map(({ group_id }) => expectedEvent('user_group', op, group_id, [user_id]))
      }
      default:
        return this.#unknown(event, payload)
    }
  }

  /** Events for services only are not delivered to clients. */
  #unknown(event: string, payload: unknown): readonly ExpectedEvent[] {
    const declared = allDomainEvents.find(({ name }) => name === event)
    const audience = declared?.audience(payload as never) ?? []
    if (audience.length > 0)
      throw new Error(`the model doesn't know which client events follow from ${event}`)
    return []
  }

  #message({ message, recipient_user_ids, is_public_channel }: Payload<typeof messaging.messageSent>) {
    const isRecipient =
      recipient_user_ids?.includes(this.#userId) ?? this.#channelIds.has(message.stream_id ?? 0)
    const isPublicDelivery = this.#receivesPublicMessages && is_public_channel && this.#role <= Role.member
    return isRecipient || (recipient_user_ids === null && isPublicDelivery)
      ? [expectedEvent('message', message.id)]
      : []
  }

  #messageUpdate(payload: Payload<typeof messaging.messageUpdated>): readonly ExpectedEvent[] {
    const { update, channel, new_channel, holder_ids } = payload
    if (new_channel && !this.#canRead(new_channel)) return []
    const isAffected =
      holder_ids.includes(this.#userId) ||
      (channel?.shares_history === true && this.#channelIds.has(channel.id)) ||
      (new_channel !== null && this.#channelIds.has(new_channel.id))
    return isAffected ? [expectedEvent('update_message', update.message_id)] : []
  }

  #messageDeletion(payload: Payload<typeof messaging.messagesDeleted>): readonly ExpectedEvent[] {
    const { message_ids, channel, moved_to, concerns_subscribers, user_ids } = payload
    if (moved_to && this.#canRead(moved_to)) return []
    const isAffected =
      user_ids.includes(this.#userId) || (concerns_subscribers && this.#channelIds.has(channel?.id ?? 0))
    return isAffected ? [expectedEvent('delete_message', message_ids)] : []
  }

  #subscribersAdded({
    channel,
    added,
    viewers,
  }: Payload<typeof messaging.subscribersAdded>): readonly ExpectedEvent[] {
    const { stream_id } = channel
    const userIds = added.map(({ user_id }) => user_id)
    const isVisible = this.#canSeeUnsubscribed(channel, viewers)
    if (userIds.includes(this.#userId)) {
      this.#channelIds.add(stream_id)
      const own = expectedEvent('subscription', 'add', stream_id)
      return isVisible ? [own] : [expectedEvent('stream', 'create', stream_id), own]
    }
    return isVisible || this.#channelIds.has(stream_id)
      ? [expectedEvent('subscription', 'peer_add', stream_id, userIds)]
      : []
  }

  #subscribersRemoved({
    channel,
    user_ids,
    viewers,
  }: Payload<typeof messaging.subscribersRemoved>): readonly ExpectedEvent[] {
    const { stream_id } = channel
    const isVisible = this.#canSeeUnsubscribed(channel, viewers)
    const isOwn = user_ids.includes(this.#userId)
    if (isOwn) this.#channelIds.delete(stream_id)
    const own = isOwn ? [expectedEvent('subscription', 'remove', stream_id)] : []
    if (isOwn && !isVisible) return [...own, expectedEvent('stream', 'delete', stream_id)]
    const others = user_ids.filter((userId) => userId !== this.#userId)
    const canSeeOthers = others.length > 0 && (isVisible || this.#channelIds.has(stream_id))
    return [
      ...own,
      ...(canSeeOthers ? [expectedEvent('subscription', 'peer_remove', stream_id, others)] : []),
    ]
  }

  #visibilityChange({
    user_id,
    role,
    gained,
    lost,
    default_channel_ids,
  }: Payload<typeof messaging.channelVisibilityChanged>) {
    if (user_id !== this.#userId) return []
    this.#role = role
    const isNew = ({ stream_id }: Channel) => !this.#channelIds.has(stream_id)
    return [
      ...gained.flatMap(({ channel, subscribers }) => {
        if (!isNew(channel)) return []
        const created = expectedEvent('stream', 'create', channel.stream_id)
        if (subscribers.length === 0) return [created]
        return [created, expectedEvent('subscription', 'peer_add', channel.stream_id, subscribers)]
      }),
      ...lost.filter(isNew).map(({ stream_id }) => expectedEvent('stream', 'delete', stream_id)),
      ...(default_channel_ids === null ? [] : [expectedEvent('default_streams')]),
    ]
  }

  #canSeeUnsubscribed({ invite_only }: Channel, viewers: Viewers): boolean {
    const isPermitted = viewers?.user_ids.includes(this.#userId) || this.#role <= (viewers?.role_at_most ?? 0)
    return this.#role <= (invite_only && !isPermitted ? Role.administrator : Role.member)
  }

  #canRead({ id, invite_only }: ChannelAccess): boolean {
    return this.#channelIds.has(id) || (!invite_only && this.#role <= Role.member)
  }
}
