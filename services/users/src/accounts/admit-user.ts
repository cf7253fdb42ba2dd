import type { InvitationChange, Joining, RealmProjection } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { announceInvitations } from '../kernel/invitations/announce-invitations.ts'
import { endInvitations } from '../kernel/invitations/end-invitations.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { accountCreatedMail } from './account-created-mail.ts'
import { createAccount, type NewAccount } from './create-account.ts'
import { ensureSystemBot } from './ensure-system-bot.ts'

/** Users without an invitation join the default channels. */
export const uninvited: Joining = { stream_ids: [], with_default_streams: true, notify_user_id: null }

/**
 * Creates the account, publishes it, queues the welcome mail and voids invitations to the address. Null if the
 * address is taken.
 */
export async function admitUser(
  tx: PrismaTx,
  realm: RealmProjection,
  { account, joining }: { readonly account: Omit<NewAccount, 'realmId'>; readonly joining: Joining },
  requestId: string,
): Promise<Account | null> {
  const realmId = realm.realm_id
  // The system bot announces the new user, so consumers must know it first.
  await ensureSystemBot(tx, realm, account.dateJoined, requestId)
  const created = await createAccount(tx, { ...account, realmId }, requestId, joining)
  if (!created) return null
  const accepted = await endInvitations(tx, { realmId, foldedEmail: foldEmail(account.email) })
  const creatorIds = accepted.map(({ creatorId }) => creatorId)
  const change: InvitationChange = {
    change: 'accepted',
    type: 'invitation',
    ids: accepted.map(({ id }) => id),
  }
  await announceInvitations(tx, realmId, { creatorIds, changes: [change] }, requestId)
  if (realm.send_welcome_emails) await queueMail(tx, accountCreatedMail(realm, created))
  return created
}
