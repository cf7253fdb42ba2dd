import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listLeaving, settleLeft } from '../guest-visibility/settle-sights.ts'
import { newEffects, noteGuestVisibility } from '../other-services/effects.ts'
import { publishLeftReading } from '../subscriptions/publish-left-reading.queries.ts'
import { endAllSubscriptions } from '../subscriptions/subscription.queries.ts'
import { retellingTopics } from '../topics/retell-topics.ts'
import { announceDefaultChannels } from './announce-default-channels.ts'
import { listChannelRecords } from './channel-record.queries.ts'
import { markArchived } from './channel-update.queries.ts'
import { lockChannel } from './lock-channel.ts'

/** Ends a channel: nobody is in it any more, nothing in it is unread, and its name is free. */
export const handleArchiveChannel: Handler<typeof endpoints.messaging.archiveChannel, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { publish } = context
  const cause = { realmId: caller.realmId, requestId }
  const effects = newEffects()
  await inTransaction(context.db, async (tx) => {
    const { id, isDefault } = await lockChannel(tx, caller, input.stream_id)
    const records = await listChannelRecords(tx, [id])
    const leaving = await listLeaving(tx, caller.realmId, id)
    await retellingTopics(tx, { publish, cause, scopes: [{ channelIds: [id], muting: true }] }, async () => {
      await publishLeftReading(tx, [id], null, cause)
      await endAllSubscriptions(tx, id)
      await markArchived(tx, id)
      for (const channel of records) {
        await publish(tx, domainEvents.messaging.channelArchived, { channel }, cause)
      }
      if (isDefault) await announceDefaultChannels(tx, publish, cause)
      effects.archivedChannelIds.add(id)
      noteGuestVisibility(effects, await settleLeft(tx, leaving, cause))
    })
  })
  await context.bringEffects(effects, cause)
  context.relay.wake()
  return {}
}
