import { domainEvents } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { type Speaker, speakOf, storeChannelNotice } from '../messages/notices.ts'
import type { Channel } from './channel.queries.ts'
import { type Actor, CHANNEL_EVENTS_TOPIC } from './channel-notice.rules.ts'
import { listChannelRecords } from './channel-record.queries.ts'

/** Whoever changes channels, who tells of it, and by which request. */
export interface Telling {
  readonly actor: Actor
  readonly speaker: Speaker
  readonly publish: Publish<'messaging'>
  readonly requestId: string | null
}

/**
 * Writes in a channel what happened to it, after the event that tells clients of it; the actor has read it already.
 * Where that is the channel's first message, clients are told so: what register says would otherwise not follow
 * from what they were told before.
 */
export async function notifyChannel(
  tx: Tx,
  channel: Pick<Channel, 'id' | 'name' | 'recipientId' | 'inviteOnly'>,
  texts: readonly string[],
  { actor, speaker, publish, requestId }: Telling,
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
      await storeChannelNotice(tx, speakOf(speaker, text, known), {
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
    { before, channel: { ...before, first_message_id }, subscribers: [] },
    { realmId: speaker.realm.realm_id, requestId },
  )
}
