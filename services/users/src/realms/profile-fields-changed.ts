import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { addJob } from '../kernel/jobs/jobs.ts'

/** Schedules the removal of values whose field or option no longer exists. */
export const onProfileFieldsChanged = onDomainEvent(
  domainEvents.realm.profileFieldsChanged,
  (tx, { projection: { realm_id } }) =>
    addJob(tx, 'remove_profile_values', { realm_id }, { key: `profiles ${realm_id}` }),
)
