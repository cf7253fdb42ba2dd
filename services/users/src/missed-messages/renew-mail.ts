import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { composeHiddenMail } from './compose-missed-mail.ts'
import { findHider } from './hidden-content.rules.ts'
import { addresseeOf, findObstacle } from './mail-missed-messages.ts'

/**
 * A queued mail as it is to be sent now, which may be a day later: without messages if they may not be shown any more.
 * Null if it isn't wanted any more, or the account is inactive. Mails that aren't about missed messages stay as they are.
 */
export async function renewMail(context: Context, mail: Mail): Promise<Mail | null> {
  if (!mail.missedBy) return mail
  const realm = await getRealm(context, mail.missedBy.realmId)
  const account = await findAccount(context.prisma, mail.missedBy.realmId, mail.missedBy.userId)
  if (account === null || findObstacle(account, realm) !== null) return null
  const hiddenBy = mail.messages ? findHider(settingsOf(account), realm) : null
  return hiddenBy === null ? mail : composeHiddenMail(await addresseeOf(context, account, realm), hiddenBy)
}
