import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { addJob } from '../jobs/jobs.ts'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** What people can fill in from now on; what they have filled in that is gone goes after it. */
export const reactToProfileFieldsChanged = onDomainEvent(
  domainEvents.realm.profileFieldsChanged,
  async (tx, { projection }) => {
    await saveKnownRealm(tx, projection)
    await addJob(
      tx,
      'remove_profile_values',
      { realm_id: projection.realm_id },
      { key: `profiles ${projection.realm_id}` },
    )
  },
)
