import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { addJob } from '../jobs/jobs.ts'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** What people can fill in from now on; what they have filled in that is gone goes after it. */
export const reactToProfileFieldsChanged = reactTo(
  domainEvents.realm.profileFieldsChanged,
  async (tx, { facts }) => {
    await saveKnownRealm(tx, facts)
    await addJob(
      tx,
      'remove_profile_values',
      { realm_id: facts.realm_id },
      { key: `profiles ${facts.realm_id}` },
    )
  },
)
