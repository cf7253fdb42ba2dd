import type { RealmProjection } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import { findPerson } from '../accounts/account.queries.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { settingsOf } from '../settings/user-settings.ts'
import { composeLoginMail, type Device } from './login-mail.ts'
import { deletePasswordAttempts } from './password-attempts.queries.ts'

/** Who has just created an account knows that they sign in. */
const NEW_ACCOUNT_MS = 60_000

/** What a right password does: earlier attempts are forgotten, and the account's owner gets a mail unless they don't want any. */
export async function signedIn(
  context: Pick<Context, 'db' | 'prisma' | 'transact' | 'now'>,
  realm: RealmProjection,
  { id, deliveryEmail }: { readonly id: number; readonly deliveryEmail: string },
  device: Device,
): Promise<void> {
  const { db, prisma, transact, now } = context
  const username = foldEmail(deliveryEmail)
  const person = await findPerson(prisma, realm.realm_id, id)
  const at = now()
  const isTold =
    person !== null &&
    at.getTime() - person.dateJoined.getTime() > NEW_ACCOUNT_MS &&
    settingsOf(person)['enable_login_emails'] === true
  if (!isTold) return deletePasswordAttempts(db, realm.realm_id, username)
  await transact(async (tx) => {
    await deletePasswordAttempts(asTx(tx), realm.realm_id, username)
    await queueMail(asTx(tx), composeLoginMail(person, realm, device, at))
  })
}
