import { AppError, badRequest, type RealmProjection, Role } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'

type Inviter = Pick<Account, 'role' | 'dateJoined' | 'isBot' | 'id'>
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A reminder is sent this long before the expiry, if the invitation is valid at least twice as long. */
const REMINDER_MS = 2 * DAY_MS

/** Bots and guests can't use invitations. */
export function canUseInvitations({ isBot, role }: Pick<Inviter, 'isBot' | 'role'>): boolean {
  return !isBot && role <= Role.member
}

/** Throws UNAUTHORIZED_PRINCIPAL or BAD_REQUEST for a role with more power than the inviter's. */
export function checkInvitedRole(invitedAs: number, inviter: Pick<Inviter, 'role'>): void {
  if (invitedAs >= inviter.role) return
  if (invitedAs === Role.owner) throw ownersOnlyError()
  throw badRequest('You can only invite people to roles that are equal to your own or stricter')
}

/** Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL unless the caller may revoke or resend the invitation. */
export function checkMayManage(
  { creatorId, invitedAs }: { readonly creatorId: number; readonly invitedAs: number },
  caller: { readonly userId: number; readonly role: number },
): void {
  if (creatorId === caller.userId || caller.role <= Role.owner) return
  if (caller.role > Role.administrator) throw noSuchInvitationError()
  if (invitedAs === Role.owner) throw ownersOnlyError()
}

/** Also for other users' invitations, so that they can't be discovered. */
export const noSuchInvitationError = (): AppError => badRequest('No such invitation')

const ownersOnlyError = (): AppError =>
  new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })

/** The expiry of a new invitation; null for never. Without `minutes` the default applies. */
export function expiryOf(minutes: number | null | undefined, defaultMinutes: number, now: Date): Date | null {
  if (minutes === null) return null
  return new Date(now.getTime() + (minutes ?? defaultMinutes) * MINUTE_MS)
}

/** When to remind; null for never. */
export function reminderOf(expiresAt: Date | null, now: Date): Date | null {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() < 2 * REMINDER_MS) return null
  return new Date(expiresAt.getTime() - REMINDER_MS)
}

/**
 * Where anyone may sign up, new accounts can't invite in their first days, against accounts made only to send mails.
 */
export function isTooNewToInvite(
  account: Inviter,
  realm: Pick<RealmProjection, 'invite_required'>,
  minAgeDays: number,
  now: Date,
): boolean {
  if (realm.invite_required || account.role <= Role.administrator) return false
  return now.getTime() - account.dateJoined.getTime() < minAgeDays * DAY_MS
}
