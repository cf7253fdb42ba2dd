import { internal, optionKeysOf, type ProfileField, type RealmChanges } from '@tms/contracts'
import {
  type ChangeAnnouncer,
  type Follower,
  type InternalClient,
  type Pool,
  projectionFollower,
} from '@tms/service-kit'
import { findKnownRealmById, saveKnownRealm } from '../kernel/realms/known-realm.queries.ts'
import type { RealmReader } from '../kernel/realms/realm-reader.ts'

/** Reloading all organizations takes longer than a call within a request may. */
const RELOAD_TIMEOUT = { timeoutMs: 30_000 }

interface FollowRealmOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly realms: () => RealmReader
  /** Announces changed identities: closing an organization or moving its host affects those of its users. */
  readonly announcer: () => ChangeAnnouncer
  /** Removes an organization's values of deleted profile fields and options. */
  readonly removeProfileValues: (realmId: number) => Promise<void>
}

/** Keeps the projection of organizations current with the realm service. */
export function followRealm({
  db,
  call,
  realms,
  announcer,
  removeProfileValues,
}: FollowRealmOptions): Follower {
  /** Stays set until announced: at a second attempt the projection is already current. */
  let concernsIdentities = false
  /** Organizations with deleted options, until the values are removed. */
  const withDeletedOptions = new Set<number>()
  const save = async (changes: RealmChanges) => {
    for (const projection of changes.realms) {
      const before = await findKnownRealmById(db, projection.realm_id)
      await saveKnownRealm(db, projection)
      if (before && hasLostOption(before.custom_profile_fields, projection.custom_profile_fields))
        withDeletedOptions.add(projection.realm_id)
      concernsIdentities ||=
        before?.is_active !== projection.is_active || before.string_id !== projection.string_id
    }
    realms().dropCaches()
  }
  return projectionFollower<RealmChanges>({
    source: 'realm',
    db,
    fetchChanges: (since) => call(internal.realm.listRealmChanges, { since }),
    apply: save,
    reload: async () => save(await call(internal.realm.listRealmProjections, {}, RELOAD_TIMEOUT)),
    dropCaches: () => realms().dropCaches(),
    beforeAcknowledging: async () => {
      for (const realmId of withDeletedOptions) {
        await removeProfileValues(realmId)
        withDeletedOptions.delete(realmId)
      }
      if (!concernsIdentities) return
      await announcer().announce()
      concernsIdentities = false
    },
  })
}

/** Whether an option of a field that still exists was deleted. */
function hasLostOption(before: readonly ProfileField[], after: readonly ProfileField[]): boolean {
  const optionsOf = new Map(after.map((field) => [field.id, new Set(optionKeysOf(field))]))
  return before.some((field) => {
    const options = optionsOf.get(field.id)
    return options && optionKeysOf(field).some((key) => !options.has(key))
  })
}
