import type { RealmFacts, Standing, UserFacts } from '@tms/contracts'
import { isFullMember } from './policy.rules.ts'

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
