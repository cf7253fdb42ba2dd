import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../kernel/realms/known-realm.queries.ts'

/** Custom emoji can be used in statuses. */
export const onCustomEmojiChanged = onDomainEvent(
  domainEvents.realm.customEmojiChanged,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
