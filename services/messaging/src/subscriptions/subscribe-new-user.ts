import type { UserFacts } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { listChannelsByIds, listDefaultChannels } from '../channels/channel.queries.ts'
import { shareSight } from '../directory/standing.queries.ts'
import { addSubscribers } from './add-subscribers.ts'
import { announceSubscribers } from './announce-subscribers.ts'
import { lockRecipients } from './subscription.queries.ts'

/** Subscribes a user who has just joined to the organization's default channels, guests included. */
export async function subscribeNewUser(
  tx: Tx,
  user: Pick<UserFacts, 'user_id' | 'realm_id'>,
  publish: Publish<'messaging'>,
  requestId: string | null,
): Promise<void> {
  await shareSight(tx, user.realm_id)
  const candidates = await listDefaultChannels(tx, user.realm_id)
  if (candidates.length === 0) return
  await lockRecipients(
    tx,
    candidates.map(({ recipientId }) => recipientId),
  )
  const channelIds = candidates.map(({ id }) => id)
  const channels = await listChannelsByIds(tx, user.realm_id, channelIds)
  const added = await addSubscribers(
    tx,
    channels.filter(({ isDefault }) => isDefault),
    [user.user_id],
  )
  await announceSubscribers(tx, { createdIds: [], added }, publish, {
    realmId: user.realm_id,
    requestId,
  })
}
