import { internal, type RealmFacts } from '@tms/contracts'
import { type InternalClient, type Pool, subdomainOf } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { findKnownRealmById, findKnownRealmByStringId, saveKnownRealm } from './known-realm.queries.ts'

/** A changed or new organization counts after this at the latest; too small asks the database for each request. */
const TTL_MS = 500

/** Finds organizations: in memory, then in the projection, then at the realm service. */
export interface RealmDirectory {
  /** The organization at the host that a client addressed. Throws SERVICE_UNAVAILABLE if nobody can tell. */
  findByHost(host: string): Promise<RealmFacts | null>
  /** Throws SERVICE_UNAVAILABLE if nobody can tell. */
  findById(realmId: number): Promise<RealmFacts | null>
}

export function createRealmDirectory(options: {
  db: Pool
  call: InternalClient
  externalHost: string
}): RealmDirectory {
  const { db, call, externalHost } = options
  const realmsById = new LRUCache<number, { realm: RealmFacts | null }>({ max: 10_000, ttl: TTL_MS })
  // Only the ID, so that a change is never in force for who came by the host and not for who came by the ID.
  const idsByHost = new LRUCache<string, { id: number | null }>({ max: 10_000, ttl: TTL_MS })

  const askRealm = async (
    question: { realm_ids: number[] } | { string_ids: string[] },
  ): Promise<RealmFacts | null> => {
    const { realms } = await call(internal.realm.listRealmFacts, question)
    const [realm] = realms
    if (!realm) return null
    await saveKnownRealm(db, realm)
    return realm
  }

  const findById = async (realmId: number): Promise<RealmFacts | null> => {
    const hit = realmsById.get(realmId)
    if (hit) return hit.realm
    const realm = (await findKnownRealmById(db, realmId)) ?? (await askRealm({ realm_ids: [realmId] }))
    realmsById.set(realmId, { realm })
    return realm
  }

  const findIdByHost = async (stringId: string): Promise<number | null> => {
    const hit = idsByHost.get(stringId)
    if (hit) return hit.id
    const realm =
      (await findKnownRealmByStringId(db, stringId)) ?? (await askRealm({ string_ids: [stringId] }))
    const id = realm?.realm_id ?? null
    idsByHost.set(stringId, { id })
    return id
  }

  return {
    findById,
    findByHost: async (host) => {
      const realmId = await findIdByHost(subdomainOf(host, externalHost))
      return realmId === null ? null : findById(realmId)
    },
  }
}
