import {
  AppError,
  badRequest,
  type endpoints,
  type RealmProjection,
  type SettingChange,
} from '@tms/contracts'
import type { Handler, Request } from '@tms/service-kit'
import { acceptNewPassword, type NewPassword, prepareNewPassword } from '../credentials/new-password.ts'
import { requestEmailChange } from '../email-changes/request-email-change.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { checkFullNameIsFree } from '../kernel/accounts/full-name.queries.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import { isAddressTakenError } from '../kernel/addresses/address-taken-error.ts'
import { apiEmailOf } from '../kernel/addresses/api-email.rules.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import { checkHasApiKey } from '../kernel/credentials/check-has-api-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { applyPresenceChoice } from '../presence/publish-presence.ts'
import { isPresenceChoice, publishSettings } from './change-settings.ts'
import { decideOwnChanges, type RequestedChanges } from './own-changes.rules.ts'
import { applyChanges } from './setting-changes.rules.ts'
import { checkSnooze } from './snooze.rules.ts'

export const handleUpdateSettings: Handler<typeof endpoints.users.updateSettings, Context> = (request) =>
  updateOwnAccount(request)

export const handleUpdateDisplaySettings: Handler<typeof endpoints.users.updateDisplaySettings, Context> = (
  request,
) => updateOwnAccount(request)

export const handleUpdateNotificationSettings: Handler<
  typeof endpoints.users.updateNotificationSettings,
  Context
> = (request) => updateOwnAccount(request)

/**
 * Changes the caller's account, all or nothing; publishes only what changed. Throws BAD_REQUEST, also for bots, and
 * RATE_LIMIT_HIT for too many changes of address, and API_KEY_REQUIRED for one of address or password by a token.
 */
export async function updateOwnAccount({
  input,
  caller,
  context,
  requestId,
  log,
}: Pick<
  Request<typeof endpoints.users.updateSettings, Context>,
  'input' | 'caller' | 'context' | 'requestId' | 'log'
>): Promise<Record<never, never>> {
  if (caller.isBot) throw badRequest('Bots have no settings')
  const { full_name: fullName, email, old_password, new_password, ...choices } = input
  checkSnooze(choices.quiet_until, context.now())
  if (email !== undefined || old_password !== undefined || new_password !== undefined)
    checkHasApiKey(caller, 'change your address or your password')
  const requested: RequestedChanges = { fullName, email, choices }
  const realm = await context.realms.findById(caller.realmId)
  const known = await findAccount(context.prisma, caller.realmId, caller.userId)
  if (!realm || !known) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  // Checked before the password, so that an invalid request costs no attempt. The lock isn't held while hashing.
  decideOwnChanges(known, realm, requested)
  const password =
    new_password === undefined
      ? null
      : await prepareNewPassword(context, realm, known, {
          oldPassword: old_password,
          newPassword: new_password,
        })
  let changed: readonly SettingChange[]
  try {
    changed = await context.transact(async (tx) => {
      if (choices.email_address_visibility !== undefined) await shareAdministration(tx, caller.realmId)
      const own = await lockOwnAccount(tx, caller)
      return applyOwnChanges(tx, { own, realm, requested, password, requestId })
    })
  } catch (err) {
    throw isAddressTakenError(err) ? badRequest('The API e-mail address is in use already') : err
  }
  if (isPresenceChoice(changed)) await applyPresenceChoice({ caller, context, requestId, log })
  return {}
}

async function applyOwnChanges(
  tx: PrismaTx,
  change: {
    own: Account
    realm: RealmProjection
    requested: RequestedChanges
    password: NewPassword | null
    requestId: string
  },
): Promise<readonly SettingChange[]> {
  const { own, realm, requested, password, requestId } = change
  const { settings, fullName, newEmail } = decideOwnChanges(own, realm, requested)
  if (fullName !== null && realm.require_unique_names)
    await checkFullNameIsFree(tx, own.realmId, fullName, own.id)
  if (newEmail !== null) await requestEmailChange(tx, own, newEmail, realm)
  if (password) await acceptNewPassword(tx, own, password)
  if (settings.length === 0 && fullName === null && !password) return []

  const columns = applyChanges(own, settings)
  const account = await changeAccount(
    tx,
    own,
    {
      ...columns,
      email: apiEmailOf({ ...own, ...columns }, realm.url),
      ...(fullName !== null && { fullName }),
      ...(password && { passwordHash: password.hash }),
    },
    requestId,
  )
  if (settings.length > 0) await publishSettings(tx, account, [...settings], requestId)
  return settings
}
