import type { RealmFacts, Standing } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { isFullMember } from './policy.rules.ts'

/** What policies ask of the caller. */
export function standingOf(caller: Pick<Caller, 'role'>, realm: RealmFacts): Standing {
  return { role: caller.role, isFullMember: isFullMember(caller.role, realm.waiting_period_threshold) }
}
