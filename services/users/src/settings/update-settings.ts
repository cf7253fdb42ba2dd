import {
  AppError,
  badRequest,
  type endpoints,
  type RealmProjection,
  type SettingChange,
} from '@tms/contracts'
import type { Handler, Request } from '@tms/service-kit'
import { findPerson, type Person } from '../accounts/account.queries.ts'
import { isAddressTaken } from '../accounts/address-is-taken.ts'
import { apiEmailOf } from '../accounts/api-email.rules.ts'
import { changePerson } from '../accounts/change-person.ts'
import { checkFullNameIsFree } from '../accounts/full-name.queries.ts'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import type { Context, PrismaTx } from '../context.ts'
import { admitNewPassword, type NewPassword, prepareNewPassword } from '../credentials/new-password.ts'
import { requestEmailChange } from '../email-changes/request-email-change.ts'
import { showPresenceChoice } from '../presence/tell-presence.ts'
import { isPresenceChoice, tellSettings } from './change-settings.ts'
import { type AskedChanges, decideOwnChanges } from './own-changes.rules.ts'
import { applyChanges } from './setting-changes.rules.ts'

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
 * Changes the caller's own account, all that is asked for or none; only what takes another value is told. Throws
 * BAD_REQUEST, for bots too, and RATE_LIMIT_HIT for asking for other addresses too often.
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
  const asked: AskedChanges = { fullName, email, choices }
  const realm = await context.realms.findById(caller.realmId)
  const seen = await findPerson(context.prisma, caller.realmId, caller.userId)
  if (!realm || !seen) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  // What is refused anyway shall cost nobody an attempt at a password. The lock that counts is not held while hashing.
  decideOwnChanges(seen, realm, asked)
  const password =
    new_password === undefined
      ? null
      : await prepareNewPassword(context, seen, { oldPassword: old_password, newPassword: new_password })
  let changed: readonly SettingChange[]
  try {
    changed = await context.transact(async (tx) => {
      const own = await lockOwnAccount(tx, caller)
      return applyOwnChanges(tx, { own, realm, asked, password, requestId })
    })
  } catch (err) {
    throw isAddressTaken(err) ? badRequest('The API e-mail address is in use already') : err
  }
  if (isPresenceChoice(changed)) await showPresenceChoice({ caller, context, requestId, log })
  return {}
}

async function applyOwnChanges(
  tx: PrismaTx,
  change: {
    own: Person
    realm: RealmProjection
    asked: AskedChanges
    password: NewPassword | null
    requestId: string
  },
): Promise<readonly SettingChange[]> {
  const { own, realm, asked, password, requestId } = change
  const { settings, fullName, newEmail } = decideOwnChanges(own, realm, asked)
  if (fullName !== null && realm.require_unique_names)
    await checkFullNameIsFree(tx, own.realmId, fullName, own.id)
  if (newEmail !== null) await requestEmailChange(tx, own, newEmail, realm)
  if (password) await admitNewPassword(tx, own, password)
  if (settings.length === 0 && fullName === null && !password) return []

  const columns = applyChanges(own, settings)
  const person = await changePerson(
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
  if (settings.length > 0) await tellSettings(tx, person, [...settings], requestId)
  return settings
}
