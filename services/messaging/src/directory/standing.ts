import { isFullMember, type PolicySubject, type RealmProjection, type UserProjection } from '@tms/contracts'

/** What policies ask of someone. */
export function standingOf(
  user: Pick<UserProjection, 'role' | 'date_joined'>,
  realm: Pick<RealmProjection, 'waiting_period_threshold'>,
  now: Date,
): PolicySubject {
  return {
    role: user.role,
    isFullMember: isFullMember(user, realm.waiting_period_threshold, Math.floor(now.getTime() / 1000)),
  }
}
