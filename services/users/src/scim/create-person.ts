import { Role } from '@tms/contracts'
import { checkNewUser, createUser } from '../accounts/create-user.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { getPerson, reviveDeletedPerson, toProvisioned, unlessTaken } from './change-person.ts'
import { findDeletedPersonId, isNameTaken, saveProvisioned } from './person.queries.ts'
import { type ProvisionedPerson, readNewPerson } from './person.rules.ts'
import type { Document } from './schema.rules.ts'
import type { Provisioning } from './scim-context.ts'
import { forbidden, invalidValue, notUnique } from './scim-errors.ts'

/**
 * Creates the account of a person, without a password, or brings back the one that provisioning had deleted. Throws
 * CONFLICT if the address or the user name is in use, FORBIDDEN for an owner, BAD_REQUEST for what the organization
 * doesn't accept. If two requests ask for one address, one succeeds.
 */
export async function createPerson(provisioning: Provisioning, body: Document): Promise<ProvisionedPerson> {
  const { context, realm, requestId } = provisioning
  const wanted = readNewPerson(body)
  const names = [wanted.userName, wanted.email].map(foldEmail)
  if (!wanted.isActive) throw invalidValue('A new account is active')
  if (wanted.role === Role.owner) throw forbidden('Provisioning does not make owners')
  const same = { email: foldEmail(wanted.email), externalId: wanted.externalId }
  const deleted = await findDeletedPersonId(context.db, realm.realm_id, same, Role.owner)
  if (deleted !== null) return reviveDeletedPerson(provisioning, deleted, wanted)

  for (const name of names)
    if (await isNameTaken(context.db, realm.realm_id, name, null))
      throw notUnique('Another account has this user name or e-mail address')
  const user = await checkNewUser(context, realm, wanted.fullName, wanted.email)
  const created = await unlessTaken(
    createUser(context, realm, { ...user, passwordHash: null, role: wanted.role }, requestId, (tx, account) =>
      saveProvisioned(tx, account, toProvisioned(wanted)),
    ),
  )
  if (!created) throw notUnique('Another account has this e-mail address')
  return getPerson(provisioning, created.id)
}
