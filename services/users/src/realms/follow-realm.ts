import { internal, type RealmChanges } from '@tms/contracts'
import {
  type ChangeAnnouncer,
  type Follower,
  type InternalClient,
  type Pool,
  projectionFollower,
} from '@tms/service-kit'
import { findKnownRealmById, saveKnownRealm } from './known-realm.queries.ts'
import type { RealmDirectory } from './realm-directory.ts'

/** More than one organization's facts take longer than calls on a request's path may. */
const RELOAD_TIMEOUT = { timeoutMs: 30_000 }

interface FollowRealmOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly directory: () => RealmDirectory
  /** An organization that closes concerns the identities of its accounts, which this service announces. */
  readonly announcer: () => ChangeAnnouncer
}

/** Has what realm changes of organizations in force here. */
export function followRealm({ db, call, directory, announcer }: FollowRealmOptions): Follower {
  /** Stays so until it was announced: the second time the projection has it already. */
  let concernsIdentities = false
  const save = async ({ realms }: RealmChanges) => {
    for (const projection of realms) {
      const before = await findKnownRealmById(db, projection.realm_id)
      await saveKnownRealm(db, projection)
      concernsIdentities ||=
        before?.is_active !== projection.is_active || before.string_id !== projection.string_id
    }
    directory().dropCaches()
  }
  return projectionFollower<RealmChanges>({
    source: 'realm',
    db,
    ask: (since) => call(internal.realm.listRealmChanges, { since }),
    apply: save,
    reload: async () => save(await call(internal.realm.listRealmProjections, {}, RELOAD_TIMEOUT)),
    dropCaches: () => directory().dropCaches(),
    beforeAcknowledging: async () => {
      if (!concernsIdentities) return
      await announcer().announce()
      concernsIdentities = false
    },
  })
}
