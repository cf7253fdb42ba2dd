import { AppError, type Joining, type RealmProjection, Role } from '@tms/contracts'
import { admitUser, uninvited } from '../accounts/admit-user.ts'
import { onboardUser } from '../accounts/onboard-user.ts'
import { joinGroups } from '../groups/join-groups.ts'
import { type Admission, findAdmissionByAddress } from '../invitations/admission.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { claimFullName, NAME_IN_USE } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAddressFault } from '../kernel/addresses/find-address-fault.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { lockAdmissions } from '../kernel/invitations/admission-lock.queries.ts'
import { saveDirectoryOf } from './directory-account.queries.ts'
import type { Person } from './person.rules.ts'

const INVITATION_NEEDED = 'You need an invitation to join this organization'

/**
 * Creates the account of somebody whose directory has just verified the password, under the organization's rules about
 * invitations, addresses and names. Null if another request has created it. Throws AUTHENTICATION_FAILED with the rule
 * that forbids it.
 */
export async function admitPerson(
  context: Pick<Context, 'prisma' | 'transact' | 'now' | 'call'>,
  realm: RealmProjection,
  { person, email, directory }: { person: Person; email: string; directory: string },
  requestId: string,
): Promise<Account | null> {
  const { prisma } = context
  const realmId = realm.realm_id
  const foldedEmail = foldEmail(email)
  const fullName = asRefusal(() => checkFullName(person.fullName ?? ''))
  const fault = await findAddressFault(prisma, realm, email)
  if (fault !== null) throw refusal(fault)
  const invited = await findAdmissionByAddress(prisma, realm, foldedEmail, context.now())
  if (!invited && realm.invite_required) throw refusal(INVITATION_NEEDED)

  const joined = await context.transact(async (tx) => {
    if (invited && invited.groupIds.length > 0) await lockGroups(tx, realmId)
    await shareAdministration(tx, realmId)
    if (realm.require_unique_names && !(await claimFullName(tx, realmId, fullName, null)))
      throw refusal(NAME_IN_USE)
    await lockAdmissions(tx, realmId, foldedEmail)
    const admission = await findAdmissionByAddress(tx, realm, foldedEmail, context.now())
    if (!admission && realm.invite_required) throw refusal(INVITATION_NEEDED)
    const { role, joining, groupIds } = entryOf(person, admission)
    const account = { email, fullName, passwordHash: null, role, dateJoined: context.now() }
    const created = await admitUser(tx, realm, { account, joining }, requestId)
    if (!created) return null
    await joinGroups(tx, created, groupIds, requestId)
    await saveDirectoryOf(tx, created, directory)
    return { created, joining }
  })
  if (!joined) return null
  await onboardUser(context, joined.created, joined.joining, requestId)
  return joined.created
}

/** The directory's role counts if it has one. Groups of an invitation that came meanwhile aren't locked. */
function entryOf(
  { role }: Person,
  admission: Admission | null,
): { role: number; joining: Joining; groupIds: readonly number[] } {
  return {
    role: role ?? admission?.invitedAs ?? Role.member,
    joining: admission?.joining ?? uninvited,
    groupIds: admission?.groupIds ?? [],
  }
}

const refusal = (message: string): AppError => new AppError('AUTHENTICATION_FAILED', { message })

/** The rule's result, or its error as a refusal to sign in. */
function asRefusal<T>(rule: () => T): T {
  try {
    return rule()
  } catch (err) {
    throw err instanceof AppError ? refusal(err.message) : err
  }
}
