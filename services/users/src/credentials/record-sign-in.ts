import { domainEvents, type PayloadOf, type RealmProjection } from '@tms/contracts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { deletePasswordAttempts } from '../kernel/credentials/password-attempts.queries.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { publish } from '../kernel/publish.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { composeLoginMail, type Device } from './login-mail.ts'

/** A user who has just created the account needs no mail about signing in. */
const NEW_ACCOUNT_MS = 60_000

/** How somebody signed in, and by which request. */
export interface SignInRequest
  extends Pick<PayloadOf<typeof domainEvents.users.signedIn>, 'method' | 'grants'> {
  readonly device: Device
  readonly requestId: string
}

/**
 * Deletes failed attempts after a correct password, publishes the sign-in for the audit log, and mails the user unless they have
 * turned that off.
 */
export async function recordSignIn(
  context: Pick<Context, 'prisma' | 'transact' | 'unsubscribeLinks' | 'now'>,
  realm: RealmProjection,
  { id, deliveryEmail }: { readonly id: number; readonly deliveryEmail: string },
  { method, grants, device, requestId }: SignInRequest,
): Promise<void> {
  const { prisma, transact, now } = context
  const username = foldEmail(deliveryEmail)
  const account = await findAccount(prisma, realm.realm_id, id)
  const at = now()
  const shouldNotify =
    account !== null &&
    at.getTime() - account.dateJoined.getTime() > NEW_ACCOUNT_MS &&
    settingsOf(account)['enable_login_emails'] === true
  const unsubscribeUrl = context.unsubscribeLinks.urlOf(realm.url, 'login', id)
  await transact(async (tx) => {
    await deletePasswordAttempts(tx, realm.realm_id, username)
    if (shouldNotify) await queueMail(tx, composeLoginMail(account, realm, device, { at, unsubscribeUrl }))
    const cause = { realmId: realm.realm_id, requestId }
    await publish(tx, domainEvents.users.signedIn, { user_id: id, method, grants }, cause)
  })
}
