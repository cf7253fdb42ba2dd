import { isFullMember, type RealmFacts, type Standing, type UserFacts } from '@tms/contracts'

/** What policies ask of someone. */
export function standingOf(
  user: Pick<UserFacts, 'role' | 'date_joined'>,
  realm: Pick<RealmFacts, 'waiting_period_threshold'>,
  now: Date,
): Standing {
  return {
    role: user.role,
    isFullMember: isFullMember(user, realm.waiting_period_threshold, Math.floor(now.getTime() / 1000)),
  }
}
