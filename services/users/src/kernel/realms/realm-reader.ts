import { internal, type RealmProjection } from '@tms/contracts'
import {
  applyInOwnTransaction,
  type CacheLease,
  type InternalClient,
  type Pool,
  type Projection,
  readThrough,
  subdomainOf,
} from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { findKnownRealmByStringId } from './known-realm.queries.ts'

const MAX_CACHED = 10_000

/** Finds organizations: in memory, in the projection, then at the realm service. */
export interface RealmReader {
  /** The organization at a host. Throws SERVICE_UNAVAILABLE if realm doesn't answer. */
  findByHost(host: string): Promise<RealmProjection | null>
  /** Throws SERVICE_UNAVAILABLE if realm doesn't answer. */
  findById(realmId: number): Promise<RealmProjection | null>
  /** Called when something changed. */
  dropCaches(): void
}

/** Cached entries count while `lease` is valid; otherwise changes are fetched from realm before anything is read. */
export function createRealmReader(options: {
  db: Pool
  call: InternalClient
  knownRealms: Projection<RealmProjection>
  externalHost: string
  lease: Pick<CacheLease, 'isValid' | 'validate'>
}): RealmReader {
  const { db, call, knownRealms, externalHost, lease } = options
  const realmsById = new LRUCache<number, { realm: RealmProjection | null }>({ max: MAX_CACHED })
  // Only the ID, so that a change takes effect for lookups by host and by ID at once.
  const idsByHost = new LRUCache<string, { id: number | null }>({ max: MAX_CACHED })
  /** Counts changes: a value read before one must not be cached after it. */
  let generation = 0

  const fetchByStringId = async (stringId: string): Promise<RealmProjection | null> => {
    const { realms } = await call(internal.realm.listRealmProjections, { string_ids: [stringId] })
    await applyInOwnTransaction(db, knownRealms, realms)
    return realms[0] ?? null
  }

  const findById = async (realmId: number): Promise<RealmProjection | null> => {
    if (!lease.isValid()) await lease.validate()
    const hit = lease.isValid() ? realmsById.get(realmId) : undefined
    if (hit) return hit.realm
    const readIn = generation
    const realm = (await readThrough({ db, call }, knownRealms, [realmId])).get(realmId) ?? null
    if (readIn === generation) realmsById.set(realmId, { realm })
    return realm
  }

  const findIdByHost = async (stringId: string): Promise<number | null> => {
    if (!lease.isValid()) await lease.validate()
    const hit = lease.isValid() ? idsByHost.get(stringId) : undefined
    if (hit) return hit.id
    const readIn = generation
    const realm = (await findKnownRealmByStringId(db, stringId)) ?? (await fetchByStringId(stringId))
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
