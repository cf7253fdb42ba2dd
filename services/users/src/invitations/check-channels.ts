import { internal } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'

/**
 * Throws BAD_REQUEST for a channel that the inviter can't use, and for any channel if the inviter may not subscribe
 * others (API document, "Send invitations").
 */
export async function checkChannels(
  { call }: Pick<Context, 'call'>,
  inviter: Pick<Account, 'id' | 'realmId'>,
  channelIds: readonly number[],
  requestId: string,
): Promise<void> {
  if (channelIds.length === 0) return
  const body = { realm_id: inviter.realmId, user_id: inviter.id, stream_ids: [...channelIds] }
  await call(internal.messaging.checkInvitationChannels, body, { requestId })
}
