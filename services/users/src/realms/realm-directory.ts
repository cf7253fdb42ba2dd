import { internal, type RealmProjection } from '@tms/contracts'
import { type CacheLease, type InternalClient, type Pool, subdomainOf } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { findKnownRealmById, findKnownRealmByStringId, saveKnownRealm } from './known-realm.queries.ts'

const MAX_CACHED = 10_000

/** Finds organizations: in memory, then in the projection, then at the realm service. */
export interface RealmDirectory {
  /** The organization at the host that a client addressed. Throws SERVICE_UNAVAILABLE if nobody can tell. */
  findByHost(host: string): Promise<RealmProjection | null>
  /** Throws SERVICE_UNAVAILABLE if nobody can tell. */
  findById(realmId: number): Promise<RealmProjection | null>
  /** Drops what is cached: something changed. */
  dropCaches(): void
}

/** What is cached counts while `lease` is valid; else the realm service is asked for what changed before anything is read. */
export function createRealmDirectory(options: {
  db: Pool
  call: InternalClient
  externalHost: string
  lease: Pick<CacheLease, 'isValid' | 'validate'>
}): RealmDirectory {
  const { db, call, externalHost, lease } = options
  const realmsById = new LRUCache<number, { realm: RealmProjection | null }>({ max: MAX_CACHED })
  // Only the ID, so that a change is never in force for who came by the host and not for who came by the ID.
  const idsByHost = new LRUCache<string, { id: number | null }>({ max: MAX_CACHED })
  /** Counts the changes: what was read before one isn't cached after it. */
  let generation = 0

  const askRealm = async (
    question: { realm_ids: number[] } | { string_ids: string[] },
  ): Promise<RealmProjection | null> => {
    const { realms } = await call(internal.realm.listRealmProjections, question)
    const [realm] = realms
    if (!realm) return null
    await saveKnownRealm(db, realm)
    return realm
  }

  const findById = async (realmId: number): Promise<RealmProjection | null> => {
    if (!lease.isValid()) await lease.validate()
    const hit = lease.isValid() ? realmsById.get(realmId) : undefined
    if (hit) return hit.realm
    const readIn = generation
    const realm = (await findKnownRealmById(db, realmId)) ?? (await askRealm({ realm_ids: [realmId] }))
    if (readIn === generation) realmsById.set(realmId, { realm })
    return realm
  }

  const findIdByHost = async (stringId: string): Promise<number | null> => {
    if (!lease.isValid()) await lease.validate()
    const hit = lease.isValid() ? idsByHost.get(stringId) : undefined
    if (hit) return hit.id
    const readIn = generation
    const realm =
      (await findKnownRealmByStringId(db, stringId)) ?? (await askRealm({ string_ids: [stringId] }))
    const id = realm?.realm_id ?? null
    if (readIn === generation) idsByHost.set(stringId, { id })
    return id
  }

  return {
    findById,
    findByHost: async (host) => {
      const realmId = await findIdByHost(subdomainOf(host, externalHost))
      return realmId === null ? null : findById(realmId)
    },
    dropCaches: () => {
      generation++
      realmsById.clear()
      idsByHost.clear()
    },
  }
}
