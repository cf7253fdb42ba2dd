import type { Joining, RealmProjection } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { announceInvitations } from '../invitations/announce-invitations.ts'
import { endInvitations } from '../invitations/end-invitations.ts'
import { queueMail } from '../mails/queue-mail.ts'
import type { Person } from './account.queries.ts'
import { accountCreatedMail } from './account-created-mail.ts'
import { createAccount, type NewAccount } from './create-account.ts'
import { foldEmail } from './email-address.rules.ts'
import { ensureSystemBot } from './system-bot.ts'

/**
 * Lets someone into an organization: makes the account, tells everyone, welcomes by mail, and voids the invitations of
 * the address. Null when the address is taken.
 */
export async function admitPerson(
  tx: PrismaTx,
  realm: RealmProjection,
  { account, joining }: { readonly account: Omit<NewAccount, 'realmId'>; readonly joining: Joining },
  requestId: string,
): Promise<Person | null> {
  const realmId = realm.realm_id
  // It tells of the newcomer, so everyone has to know it before.
  await ensureSystemBot(tx, realm, account.dateJoined, requestId)
  const person = await createAccount(tx, { ...account, realmId }, requestId, joining)
  if (!person) return null
  const creatorIds = await endInvitations(tx, { realmId, foldedEmail: foldEmail(account.email) })
  await announceInvitations(tx, realmId, creatorIds, requestId)
  if (realm.send_welcome_emails) await queueMail(asTx(tx), accountCreatedMail(realm, account))
  return person
}
