import { badRequest, type endpoints, type RealmProjection, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { checkFullNameIsFree } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAddressFault } from '../kernel/addresses/find-address-fault.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockAdmissions } from '../kernel/invitations/admission-lock.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { admitUser, uninvited } from './admit-user.ts'
import type { NewAccount } from './create-account.ts'
import { onboardUser } from './onboard-user.ts'

/**
 * An administrator creates a member. Checks in this order, all BAD_REQUEST: name; address (invalid, not allowed, in
 * use); weak password; name in use where names must be unique. If two requests ask for one address, one succeeds.
 */
export const handleCreateUser: Handler<typeof endpoints.users.createUser, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { passwords, checkPasswordStrength } = context
  const realm = await getRealm(context, caller.realmId)
  const user = await checkNewUser(context, realm, input.full_name, input.email)
  checkPasswordStrength(input.password, [user.email, user.fullName])

  const passwordHash = await passwords.hash(input.password)
  const created = await createUser(context, realm, { ...user, passwordHash, role: Role.member }, requestId)
  if (!created) throw badRequest(`The e-mail address ${user.email} is already in use`)
  return { user_id: created.id }
}

type NewUser = Pick<NewAccount, 'email' | 'fullName' | 'passwordHash' | 'role'>

/** Name and address of a new account as they are stored. Throws BAD_REQUEST for what the organization doesn't accept. */
export async function checkNewUser(
  { prisma }: Pick<Context, 'prisma'>,
  realm: RealmProjection,
  name: string,
  address: string,
): Promise<Pick<NewUser, 'email' | 'fullName'>> {
  const fullName = checkFullName(name)
  const email = address.trim()
  const fault = await findAddressFault(prisma, realm, email)
  if (fault !== null) throw badRequest(fault)
  return { email, fullName }
}

/**
 * Creates the account of somebody without an invitation, who joins the default channels. `complete` runs in the same
 * transaction. Null if another request has taken the address; throws BAD_REQUEST for a name in use where names must be
 * unique.
 */
export async function createUser(
  context: Pick<Context, 'transact' | 'call' | 'now'>,
  realm: RealmProjection,
  user: NewUser,
  requestId: string,
  complete: (tx: PrismaTx, created: Account) => Promise<void> = async () => {},
): Promise<Account | null> {
  const account = { ...user, dateJoined: context.now() }
  const created = await context.transact(async (tx) => {
    await shareAdministration(tx, realm.realm_id)
    if (realm.require_unique_names) await checkFullNameIsFree(tx, realm.realm_id, user.fullName, null)
    await lockAdmissions(tx, realm.realm_id, foldEmail(user.email))
    const admitted = await admitUser(tx, realm, { account, joining: uninvited }, requestId)
    if (admitted) await complete(tx, admitted)
    return admitted
  })
  if (created) await onboardUser(context, created, uninvited, requestId)
  return created
}
