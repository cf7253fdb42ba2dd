import { internal } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import type { Context } from '../context.ts'

/**
 * Throws BAD_REQUEST for a channel that the inviter can't use, and for any channel if they may not subscribe others
 * (API document, "Send invitations").
 */
export async function checkChannels(
  { call }: Pick<Context, 'call'>,
  inviter: Pick<Person, 'id' | 'realmId'>,
  channelIds: readonly number[],
  requestId: string,
): Promise<void> {
  if (channelIds.length === 0) return
  const question = { realm_id: inviter.realmId, user_id: inviter.id, stream_ids: [...channelIds] }
  await call(internal.messaging.checkInvitationChannels, question, { requestId })
}
