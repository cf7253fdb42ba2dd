import { domainEvents } from '@tms/contracts'
import { onDomainEvent } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Which custom emoji people may have in their status from now on. */
export const reactToCustomEmojiChanged = onDomainEvent(
  domainEvents.realm.customEmojiChanged,
  (tx, { projection }) => saveKnownRealm(tx, projection),
)
