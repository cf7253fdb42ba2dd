import { AppError, badRequest, Policy, type RealmProjection, Role } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import { admits } from '../register-state/policy.rules.ts'

type Inviter = Pick<Person, 'role' | 'dateJoined' | 'isBot' | 'id'>
type Realm = Pick<
  RealmProjection,
  'invite_to_realm_policy' | 'create_multiuse_invite_group' | 'waiting_period_threshold'
>

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A reminder comes this long before the invitation expires, unless that was sent less than twice as long before. */
const REMINDER_MS = 2 * DAY_MS

/** The policy that a group of the organization amounts to; other groups let nobody. */
const policyOfGroup: Partial<Record<RealmProjection['create_multiuse_invite_group'], number>> = {
  'role:administrators': Policy.administrators,
  'role:moderators': Policy.moderators,
  'role:fullmembers': Policy.fullMembers,
  'role:members': Policy.members,
}

/** Whether someone may send invitations by mail. */
export function maySendInvitations(person: Inviter, realm: Realm, now: Date): boolean {
  return mayInvite(person, realm.invite_to_realm_policy, realm, now)
}

/** Whether someone may create reusable links (API document, "Authentication"). */
export function mayCreateLinks(person: Inviter, realm: Realm, now: Date): boolean {
  return mayInvite(person, policyOfGroup[realm.create_multiuse_invite_group] ?? Policy.nobody, realm, now)
}

function mayInvite(person: Inviter, policy: number, realm: Realm, now: Date): boolean {
  return isInvitingHuman(person) && admits(policy, person, realm.waiting_period_threshold, now)
}

/** Bots and guests have nothing to do with invitations. */
export function isInvitingHuman({ isBot, role }: Pick<Inviter, 'isBot' | 'role'>): boolean {
  return !isBot && role <= Role.member
}

/** Throws UNAUTHORIZED_PRINCIPAL or BAD_REQUEST for a role with more power than the inviter's own. */
export function checkInvitedRole(invitedAs: number, inviter: Pick<Inviter, 'role'>): void {
  if (invitedAs >= inviter.role) return
  if (invitedAs === Role.owner) throw ownersOnly()
  throw badRequest('You can only invite people to roles that are equal to your own or stricter')
}

/** Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL unless someone may take back or repeat an invitation. */
export function checkMayManage(
  { creatorId, invitedAs }: { readonly creatorId: number; readonly invitedAs: number },
  caller: { readonly userId: number; readonly role: number },
): void {
  if (creatorId === caller.userId || caller.role <= Role.owner) return
  if (caller.role > Role.administrator) throw noSuchInvitation()
  if (invitedAs === Role.owner) throw ownersOnly()
}

/** Other people's invitations are as unknown as those that don't exist. */
export const noSuchInvitation = (): AppError => badRequest('No such invitation')

const ownersOnly = (): AppError =>
  new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })

/** When an invitation made now expires; null never. `minutes` absent takes the default. */
export function expiryOf(minutes: number | null | undefined, defaultMinutes: number, now: Date): Date | null {
  if (minutes === null) return null
  return new Date(now.getTime() + (minutes ?? defaultMinutes) * MINUTE_MS)
}

/** When someone invited now is reminded; null for never. */
export function reminderOf(expiresAt: Date | null, now: Date): Date | null {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() < 2 * REMINDER_MS) return null
  return new Date(expiresAt.getTime() - REMINDER_MS)
}

/** Where anyone may sign up, accounts made only to send mails are kept from it for their first days. */
export function isTooNewToInvite(
  person: Inviter,
  realm: Pick<RealmProjection, 'invite_required'>,
  minAgeDays: number,
  now: Date,
): boolean {
  if (realm.invite_required || person.role <= Role.administrator) return false
  return now.getTime() - person.dateJoined.getTime() < minAgeDays * DAY_MS
}
