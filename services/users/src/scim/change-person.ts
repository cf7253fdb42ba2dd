import { databaseCodeOf } from '@tms/service-kit'
import { type Administration, beginProvisioning } from '../accounts/begin-administration.ts'
import { deactivateTarget } from '../accounts/deactivate-user.ts'
import { updateTarget } from '../accounts/update-user.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import { setDeactivatedByDirectory } from '../directory/directory-account.queries.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { isAddressTakenError } from '../kernel/addresses/address-taken-error.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { refreshNamedUsers } from '../kernel/realms/refresh-named-users.ts'
import { newAddressMail } from './new-address-mail.ts'
import { findPerson, isNameTaken, markDeleted, type Provisioned, saveProvisioned } from './person.queries.ts'
import {
  checkMayProvision,
  isSameState,
  ownUserName,
  type PersonState,
  type ProvisionedPerson,
} from './person.rules.ts'
import type { Provisioning } from './scim-context.ts'
import { noSuchResource, notUnique } from './scim-errors.ts'

/** What a request makes of a person. */
type Decide = (present: PersonState) => PersonState

/** Throws NO_SUCH_OBJECT. */
export async function getPerson(
  { context, realm }: Provisioning,
  id: number | null,
): Promise<ProvisionedPerson> {
  const person = id === null ? null : await findPerson(context.db, realm.realm_id, id)
  if (!person) throw noSuchResource()
  return person
}

/**
 * Changes a person as an administrator does, all or nothing. Throws NO_SUCH_OBJECT, CONFLICT, FORBIDDEN, and BAD_REQUEST
 * for what the organization doesn't accept and for the only owner.
 */
export async function changePerson(
  provisioning: Provisioning,
  id: number | null,
  decide: Decide,
): Promise<ProvisionedPerson> {
  const person = await getPerson(provisioning, id)
  // Most requests of a sync change nothing.
  if (isSameState(person, decide(person))) return person
  await inProvisioning(provisioning, person.id, (tx, administration) =>
    applyChange(tx, provisioning, administration, decide),
  )
  return getPerson(provisioning, person.id)
}

/** Deactivates a person, who is unknown to provisioning from then on. Throws as `changePerson` does. */
export async function deletePerson(provisioning: Provisioning, id: number | null): Promise<void> {
  const { id: knownId } = await getPerson(provisioning, id)
  await inProvisioning(provisioning, knownId, async (tx, { target }) => {
    if (!(await findPerson(tx, target.realmId, target.id))) throw noSuchResource()
    if (target.isActive) await deactivateTarget(tx, target, provisioning.requestId)
    await setDeactivatedByDirectory(tx, target.id, false)
    await markDeleted(tx, target, true)
    return { account: target, hasOtherRole: false, hasOtherActivity: target.isActive }
  })
}

/** Reactivates somebody that provisioning had deleted, as the given state says. Throws CONFLICT if another request did. */
export async function reviveDeletedPerson(
  provisioning: Provisioning,
  id: number,
  wanted: PersonState,
): Promise<ProvisionedPerson> {
  await inProvisioning(provisioning, id, async (tx, administration) => {
    const { target } = administration
    if (await findPerson(tx, target.realmId, target.id))
      throw notUnique('Another account has this user name or e-mail address')
    await markDeleted(tx, target, false)
    return applyChange(tx, provisioning, administration, () => wanted)
  })
  return getPerson(provisioning, id)
}

/** What has to follow the transaction of a change. */
interface Changed {
  readonly account: Account
  readonly hasOtherRole: boolean
  readonly hasOtherActivity: boolean
}

/** Runs `work` in a transaction with the locks of every change, and afterwards what follows it. */
async function inProvisioning(
  { context, realm: { realm_id: realmId }, requestId, log }: Provisioning,
  id: number,
  work: (tx: PrismaTx, administration: Administration) => Promise<Changed>,
): Promise<void> {
  const { account, hasOtherRole, hasOtherActivity } = await unlessTaken(
    context.transact(async (tx) => {
      await lockGroups(tx, realmId)
      return work(tx, await beginProvisioning(tx, realmId, id))
    }),
  )
  if (hasOtherActivity) await refreshNamedUsers(context, realmId, { log, requestId })
  // The new role may see other channels.
  if (hasOtherRole) await updateChannelNamesOf(context, account)
}

async function applyChange(
  tx: PrismaTx,
  { realm, requestId }: Provisioning,
  administration: Administration,
  decide: Decide,
): Promise<Changed> {
  const { target } = administration
  const present = await findPerson(tx, target.realmId, target.id)
  if (!present) throw noSuchResource()
  const wanted = decide(present)
  checkMayProvision(present, wanted)
  await checkNamesAreFree(tx, target, present, wanted)
  const hasNewEmail = wanted.email !== present.email
  const input = {
    ...(wanted.role !== present.role && { role: wanted.role }),
    ...(wanted.fullName !== present.fullName && { full_name: wanted.fullName }),
    ...(hasNewEmail && { new_email: wanted.email }),
  }
  const { account, hasOtherRole } = await updateTarget(tx, administration, { input, realm, requestId })
  if (wanted.isActive && !present.isActive) await changeAccount(tx, account, { isActive: true }, requestId)
  if (!wanted.isActive && present.isActive) await deactivateTarget(tx, account, requestId)
  // Who is inactive by provisioning stays so when the directory has them.
  if (!wanted.isActive) await setDeactivatedByDirectory(tx, target.id, false)
  if (hasNewEmail && wanted.isActive)
    await queueMail(tx, newAddressMail(account, target.deliveryEmail, realm))
  await saveProvisioned(tx, target, toProvisioned(wanted))
  return { account, hasOtherRole, hasOtherActivity: wanted.isActive !== present.isActive }
}

async function checkNamesAreFree(
  tx: PrismaTx,
  { id, realmId }: Account,
  present: PersonState,
  wanted: PersonState,
): Promise<void> {
  const before = [present.userName, present.email].map(foldEmail)
  for (const name of [wanted.userName, wanted.email].map(foldEmail))
    if (!before.includes(name) && (await isNameTaken(tx, realmId, name, id)))
      throw notUnique('Another account has this user name or e-mail address')
}

/** What is stored beside the account. */
export const toProvisioned = (state: PersonState): Provisioned => ({
  externalId: state.externalId,
  userName: ownUserName(state),
  isDeleted: false,
})

/** PostgreSQL's code for a violated unique index. */
const UNIQUE_VIOLATION = '23505'

/** Throws CONFLICT if another request has taken the address or the user name meanwhile. */
export async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (err) {
    const isTaken = err instanceof Error && databaseCodeOf(err) === UNIQUE_VIOLATION
    if (isTaken || isAddressTakenError(err))
      throw notUnique('Another account has this user name or e-mail address')
    throw err
  }
}
