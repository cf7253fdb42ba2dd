import { AppError, type Joining, type RealmProjection, Role } from '@tms/contracts'
import { admitUser, uninvited } from '../accounts/admit-user.ts'
import { onboardUser } from '../accounts/onboard-user.ts'
import { joinGroups } from '../groups/join-groups.ts'
import { type Admission, admissionOfLink, findAdmissionByAddress } from '../invitations/admission.ts'
import { findLinkByKey } from '../invitations/invitation-link.queries.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { claimFullName, NAME_IN_USE } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAddressFault } from '../kernel/addresses/find-address-fault.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import { isLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { lockAdmissions } from '../kernel/invitations/admission-lock.queries.ts'

const INVITATION_NEEDED = 'You need an invitation to join this organization'

/** Somebody whose address another server has just verified: a directory, or a provider. */
export interface VerifiedPerson {
  readonly email: string
  readonly fullName: string
  /** Null if the server doesn't decide about roles. */
  readonly role: number | null
  /** Key of a reusable invitation link that the person opened. */
  readonly linkKey?: string | undefined
}

/**
 * Creates the account of such a person, under the organization's rules about invitations, addresses and names.
 * `record` stores in the same transaction whose account it is. Null if another request has created it. Throws
 * AUTHENTICATION_FAILED with the rule that forbids it.
 */
export async function admitVerifiedAddress(
  context: Pick<Context, 'prisma' | 'transact' | 'now' | 'call'>,
  realm: RealmProjection,
  person: VerifiedPerson,
  record: (tx: PrismaTx, created: Account) => Promise<void>,
  requestId: string,
): Promise<Account | null> {
  const { email } = person
  const realmId = realm.realm_id
  const foldedEmail = foldEmail(email)
  const fullName = asRefusal(() => checkFullName(person.fullName))
  const { invited, fault } = await findInvitationOrFault(context, realm, person)
  if (fault !== null) throw refusal(fault)

  const joined = await context.transact(async (tx) => {
    if (invited && invited.groupIds.length > 0) await lockGroups(tx, realmId)
    await shareAdministration(tx, realmId)
    if (realm.require_unique_names && !(await claimFullName(tx, realmId, fullName, null)))
      throw refusal(NAME_IN_USE)
    await lockAdmissions(tx, realmId, foldedEmail)
    const admission = await findAdmission(tx, realm, person, context.now())
    if (!admission && realm.invite_required) throw refusal(INVITATION_NEEDED)
    const { role, joining, groupIds } = entryOf(person, admission)
    const account = { email, fullName, passwordHash: null, role, dateJoined: context.now() }
    const created = await admitUser(tx, realm, { account, joining }, requestId)
    if (!created) return null
    await joinGroups(tx, created, groupIds, requestId)
    await record(tx, created)
    return { created, joining }
  })
  if (!joined) return null
  await onboardUser(context, joined.created, joined.joining, requestId)
  return joined.created
}

/** The rule that forbids an account of such a person; null if it would be created. Throws if the name is none. */
export async function findAdmissionFault(
  context: Pick<Context, 'prisma' | 'now'>,
  realm: RealmProjection,
  person: VerifiedPerson,
): Promise<string | null> {
  checkFullName(person.fullName)
  return (await findInvitationOrFault(context, realm, person)).fault
}

async function findInvitationOrFault(
  { prisma, now }: Pick<Context, 'prisma' | 'now'>,
  realm: RealmProjection,
  person: VerifiedPerson,
): Promise<{ invited: Admission | null; fault: string | null }> {
  const fault = await findAddressFault(prisma, realm, person.email)
  if (fault !== null) return { invited: null, fault }
  const invited = await findAdmission(prisma, realm, person, now())
  return { invited, fault: !invited && realm.invite_required ? INVITATION_NEEDED : null }
}

/** What the link allows that the person opened, or the newest invitation to the address. */
async function findAdmission(
  db: PrismaDb,
  realm: RealmProjection,
  { email, linkKey }: VerifiedPerson,
  now: Date,
): Promise<Admission | null> {
  const link =
    linkKey !== undefined && isLinkKey(linkKey) ? await findLinkByKey(db, realm.realm_id, linkKey, now) : null
  if (link) return admissionOfLink(db, realm, link, email)
  return findAdmissionByAddress(db, realm, foldEmail(email), now)
}

/** The server's role counts if it has one. Groups of an invitation that came meanwhile aren't locked. */
function entryOf(
  { role }: Pick<VerifiedPerson, 'role'>,
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
