import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { addJob } from '../kernel/jobs/jobs.ts'
import { saveKnownRealm } from '../kernel/realms/known-realm.queries.ts'

/** Also schedules the removal of values whose field or option no longer exists. */
export const onProfileFieldsChanged = onDomainEvent(
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
