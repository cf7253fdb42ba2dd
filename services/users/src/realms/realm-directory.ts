import { internal, type RealmFacts } from '@tms/contracts'
import { type InternalClient, type Pool, subdomainOf } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { findKnownRealmById, findKnownRealmByStringId, saveKnownRealm } from './known-realm.queries.ts'

/** A changed organization counts after this at the latest; too small asks the database for each request. */
const KNOWN_MS = 500
/** An unknown one is asked for again after this, so that one just created is found at once. */
const UNKNOWN_MS = 500

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
  const remembered = new LRUCache<string, { realm: RealmFacts | null }>({ max: 10_000, ttl: KNOWN_MS })

  const find = async (
    key: string,
    findKnown: () => Promise<RealmFacts | null>,
    question: { realm_ids: number[] } | { string_ids: string[] },
  ): Promise<RealmFacts | null> => {
    const hit = remembered.get(key)
    if (hit) return hit.realm
    const realm = (await findKnown()) ?? (await askRealm(question))
    remembered.set(key, { realm }, realm ? {} : { ttl: UNKNOWN_MS })
    return realm
  }

  const askRealm = async (
    question: { realm_ids: number[] } | { string_ids: string[] },
  ): Promise<RealmFacts | null> => {
    const { realms } = await call(internal.realm.listRealmFacts, question)
    const [realm] = realms
    if (!realm) return null
    await saveKnownRealm(db, realm)
    return realm
  }

  return {
    findByHost: (host) => {
      const stringId = subdomainOf(host, externalHost)
      return find(`host ${stringId}`, () => findKnownRealmByStringId(db, stringId), {
        string_ids: [stringId],
      })
    },
    findById: (realmId) =>
      find(`id ${realmId}`, () => findKnownRealmById(db, realmId), { realm_ids: [realmId] }),
  }
}
