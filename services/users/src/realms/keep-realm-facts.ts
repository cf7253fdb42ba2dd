import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { saveKnownRealm } from './known-realm.queries.ts'

/** Keeps facts of an organization, which the realm service tells when they must not wait for the broker. */
export const handleKeepRealmFacts: InternalHandler<typeof internal.users.keepRealmFacts, Context> = async (
  { facts },
  { db },
) => {
  await saveKnownRealm(db, facts)
  return {}
}
