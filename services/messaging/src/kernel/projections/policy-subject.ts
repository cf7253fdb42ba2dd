import { isFullMember, type PolicySubject, type RealmProjection, type UserProjection } from '@tms/contracts'

/** The properties of a user that policies depend on. */
export function policySubjectOf(
  user: Pick<UserProjection, 'role' | 'date_joined'>,
  realm: Pick<RealmProjection, 'waiting_period_threshold'>,
  now: Date,
): PolicySubject {
  return {
    role: user.role,
    isFullMember: isFullMember(user, realm.waiting_period_threshold, Math.floor(now.getTime() / 1000)),
  }
}
