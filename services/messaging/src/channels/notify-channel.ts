import { domainEvents } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { findSameViewers } from '../kernel/grantees/find-same-viewers.ts'
import { type NoticeSender, renderNotice, storeChannelNotice } from '../messages/notices.ts'
import { type Actor, CHANNEL_EVENTS_TOPIC } from './channel-notice.rules.ts'

/** What a notice about a change of channels needs. */
export interface PublishContext {
  readonly actor: Actor
  readonly noticeSender: NoticeSender
  readonly publish: Publish<'messaging'>
  readonly requestId: string | null
}

/**
 * Stores notices about a change in the channel itself, after the event of the change. They are stored as read by
 * the actor. If one of them is the first message of the channel, the channel is published again, so that events
 * fit the register state.
 */
export async function notifyChannel(
  tx: Tx,
  channel: Pick<Channel, 'id' | 'name' | 'recipientId' | 'inviteOnly'>,
  texts: readonly string[],
  { actor, noticeSender, publish, requestId }: PublishContext,
): Promise<void> {
  if (texts.length === 0) return
  const [before] = await listChannelRecords(tx, [channel.id])
  const known = {
    users: [{ userId: actor.user_id, fullName: actor.full_name, isActive: true }],
    channels: [{ channelId: channel.id, name: channel.name }],
  }
  const messageIds: number[] = []
  for (const text of texts) {
    messageIds.push(
      await storeChannelNotice(tx, renderNotice(noticeSender, text, known), {
        channel,
        topic: CHANNEL_EVENTS_TOPIC,
        requestId,
        readerIds: [actor.user_id],
      }),
    )
  }
  const [first_message_id] = messageIds
  if (!before || before.first_message_id !== null || first_message_id === undefined) return
  await publish(
    tx,
    domainEvents.messaging.channelUpdated,
    {
      before,
      channel: { ...before, first_message_id },
      subscribers: [],
      ...(await findSameViewers(tx, channel.id)),
    },
    { realmId: noticeSender.realm.realm_id, requestId },
  )
}
