import { domainEvents } from '@tms/contracts'
import { reactTo } from '@tms/service-kit'
import { saveKnownRealm } from '../realms/known-realm.queries.ts'

/** Which custom emoji people may have in their status from now on. */
export const reactToCustomEmojiChanged = reactTo(domainEvents.realm.customEmojiChanged, (tx, { facts }) =>
  saveKnownRealm(tx, facts),
)
