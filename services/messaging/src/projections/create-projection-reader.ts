import { badRequest, internal, type RealmProjection, type UsersChanges } from '@tms/contracts'
import {
  applyInOwnTransaction,
  type CacheLease,
  type InternalClient,
  type Pool,
  readThrough,
} from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { listKnownGroupsByName } from '../kernel/groups/known-group.queries.ts'
import {
  findSystemBot,
  listKnownUsers,
  listKnownUsersByEmail,
  listKnownUsersByName,
  listMuters,
} from '../kernel/projections/known-user.queries.ts'
import type { KnownUser, ProjectionReader } from '../kernel/projections/projection-reader.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { readAlertWordChanges } from './alert-word.queries.ts'
import { knownGroups } from './group-projection.ts'
import { knownRealms } from './realm-projection.ts'
import { knownUsers } from './user-projection.ts'
import { createWatchedWordsCache } from './watched-words-cache.ts'

const MAX_CACHED_USERS = 20_000
/** Unknown group names of one text that are requested from users: no sensible text names more groups. */
const MAX_NAMES_REQUESTED = 20
/** How long a message waits to learn whether such a group was just created. */
const GROUPS_TIMEOUT_MS = 1_000
const MAX_CACHED_REALMS = 2_000

/** The in-memory caches of the reader. */
export interface ProjectionCaches {
  /** Drops entries that these changes may have made stale. */
  dropUsers(changes: UsersChanges): void
  dropRealms(realmIds: readonly number[]): void
  dropAll(): void
}

/**
 * Reads users and organizations from the projections in `db`. If one is missing there, it is requested from the owning
 * service and applied. Cached values are used while `lease` is valid, and dropped as changes are announced.
 */
export function createProjectionReader(
  db: Pool,
  call: InternalClient,
  lease: Pick<CacheLease, 'isValid'>,
): ProjectionReader & { readonly caches: ProjectionCaches } {
  const users = new LRUCache<number, KnownUser>({ max: MAX_CACHED_USERS })
  const realms = new LRUCache<number, RealmProjection>({ max: MAX_CACHED_REALMS })
  const systemBots = new LRUCache<number, KnownUser>({ max: MAX_CACHED_REALMS })
  const muters = new LRUCache<number, readonly number[]>({ max: MAX_CACHED_USERS })
  const unknownGroups = new LRUCache<string, true>({ max: MAX_CACHED_USERS })
  const watchedWords = createWatchedWordsCache({
    read: (realmId, since) => readAlertWordChanges(db, realmId, since),
    isCurrent: () => lease.isValid(),
    maxRealms: MAX_CACHED_REALMS,
  })
  /** Counts drops. A value that was read before a drop is neither cached nor returned to later callers. */
  let generation = 0
  const cached = <K extends {}, V extends {}>(cache: LRUCache<K, V>, key: K): V | undefined =>
    lease.isValid() ? cache.get(key) : undefined

  /** Concurrent lookups of one key share one query, as all of them would run right after a drop. */
  const runningLookups = new Map<string, Promise<unknown>>()
  const shareLookup = <T>(key: string, find: () => Promise<T>): Promise<T> => {
    const generationKey = `${generation} ${key}`
    const runningLookup = runningLookups.get(generationKey) as Promise<T> | undefined
    // Without a lease, a later caller may have to see newer data.
    if (runningLookup && lease.isValid()) return runningLookup
    const lookup = find().finally(() => {
      if (runningLookups.get(generationKey) === lookup) runningLookups.delete(generationKey)
    })
    runningLookups.set(generationKey, lookup)
    return lookup
  }

  const remember = (found: readonly KnownUser[], readIn: number) => {
    if (readIn === generation) for (const user of found) users.set(user.user_id, user)
    return found
  }

  const findUsers = async (userIds: readonly number[]): Promise<Map<number, KnownUser>> => {
    const readIn = generation
    const found = new Map<number, KnownUser>()
    for (const id of userIds) {
      const user = cached(users, id)
      if (user) found.set(id, user)
    }
    const uncached = [...new Set(userIds)].filter((id) => !found.has(id))
    const read = await readThrough({ db, call }, knownUsers, uncached)
    for (const user of remember([...read.values()], readIn)) found.set(user.user_id, user)
    return found
  }

  const findGroupsByNames = async (realmId: number, nameKeys: readonly string[]) => {
    if (nameKeys.length === 0) return []
    const known = await listKnownGroupsByName(db, realmId, nameKeys)
    const found = new Set(known.map(({ name }) => caseKey(name)))
    const missing = nameKeys
      .filter((name) => !found.has(name) && !cached(unknownGroups, `${realmId} ${name}`))
      .slice(0, MAX_NAMES_REQUESTED)
    if (missing.length === 0) return known
    const readIn = generation
    // A text may name anything. A name that is no group, or that can't be requested now, stays text.
    const question = { realm_id: realmId, names: missing }
    const options = { timeoutMs: GROUPS_TIMEOUT_MS }
    const returned = await call(internal.users.listUserGroupProjections, question, options).catch(() => null)
    if (!returned) return known
    const { groups } = returned
    await applyInOwnTransaction(db, knownGroups, groups)
    if (readIn === generation) for (const name of missing) unknownGroups.set(`${realmId} ${name}`, true)
    return groups.length === 0 ? known : listKnownGroupsByName(db, realmId, nameKeys)
  }

  const loadRealm = async (realmId: number): Promise<RealmProjection> => {
    const readIn = generation
    const realm = (await readThrough({ db, call }, knownRealms, [realmId])).get(realmId)
    if (!realm) throw badRequest('No such organization')
    if (readIn === generation) realms.set(realmId, realm)
    return realm
  }

  return {
    getRealm: async (realmId) =>
      cached(realms, realmId) ?? shareLookup(`realm ${realmId}`, () => loadRealm(realmId)),

    getUser: async (userId) => {
      const known =
        cached(users, userId) ?? (await shareLookup(`user ${userId}`, () => findUsers([userId]))).get(userId)
      if (!known) throw badRequest('No such user')
      return known
    },

    // What is read isn't cached: texts could name as many as the cache has.
    listProjectedUsers: async (userIds) => {
      const found = new Map(userIds.map((id) => [id, cached(users, id)]))
      const uncached = [...found.keys()].filter((id) => found.get(id) === undefined)
      const known = [...found.values()].filter((user) => user !== undefined)
      return uncached.length === 0 ? known : [...known, ...(await listKnownUsers(db, uncached))]
    },

    findUsersByIds: async (realmId, userIds) => {
      const found = await findUsers(userIds)
      for (const [id, user] of found) if (user.realm_id !== realmId) found.delete(id)
      return found
    },

    findUsersByEmails: async (realmId, emails) => {
      const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
      const readIn = generation
      const known = remember(await listKnownUsersByEmail(db, realmId, wanted), readIn)
      const found = new Map(known.map((user) => [user.email.toLowerCase(), user]))
      const missing = wanted.filter((email) => !found.has(email))
      if (missing.length === 0) return found
      const question = { realm_id: realmId, emails: missing }
      const { users: returned } = await call(internal.users.listUserProjections, question)
      await applyInOwnTransaction(db, knownUsers, returned)
      for (const user of remember(returned, readIn)) found.set(user.email.toLowerCase(), user)
      return found
    },

    getSystemBot: async (realmId) => {
      const hit = cached(systemBots, realmId)
      if (hit) return hit
      const readIn = generation
      const remember = (bot: KnownUser) => {
        if (readIn === generation) systemBots.set(realmId, bot)
        return bot
      }
      const known = await findSystemBot(db, realmId)
      if (known) return remember(known)
      const { user } = await call(internal.users.ensureSystemBot, { realm_id: realmId })
      await applyInOwnTransaction(db, knownUsers, [user])
      return remember(user)
    },

    findDefaultChannel: async (botId) =>
      (await call(internal.users.getBotDefaults, { user_id: botId })).sending_stream_id,

    listMuters: async (realmId, userId) =>
      cached(muters, userId) ??
      shareLookup(`muters ${userId}`, async () => {
        const readIn = generation
        const found = await listMuters(db, realmId, userId)
        if (readIn === generation) muters.set(userId, found)
        return found
      }),

    findAlerted: async (realmId, content) => (await watchedWords.get(realmId)).find(content),

    findUsersByNames: async (realmId, nameKeys) =>
      nameKeys.length === 0 ? [] : listKnownUsersByName(db, realmId, nameKeys),

    findGroupsByNames,

    caches: {
      dropUsers: ({ users: changed, groups }) => {
        generation++
        for (const projection of changed) {
          const before = users.get(projection.user_id)
          if (before && before.version <= projection.version) users.set(projection.user_id, projection)
          if (projection.is_system_bot) systemBots.delete(projection.realm_id)
          // A cached value of the same version may have been read after the change, so it doesn't show the state
          // before.
          const older = before && before.version < projection.version ? before : undefined
          if (!isSameList(older?.alert_words, projection.alert_words)) watchedWords.drop(projection.realm_id)
          if (!isSameList(older?.muted_user_ids, projection.muted_user_ids)) muters.clear()
        }
        if (groups.length > 0) unknownGroups.clear()
      },
      dropRealms: (realmIds) => {
        generation++
        for (const realmId of realmIds) realms.delete(realmId)
      },
      dropAll: () => {
        generation++
        for (const cache of [users, realms, systemBots, muters, unknownGroups]) cache.clear()
        watchedWords.dropAll()
      },
    },
  }
}

const isSameList = <T>(one: readonly T[] | undefined, other: readonly T[]): boolean =>
  one !== undefined && one.length === other.length && one.every((item, at) => item === other[at])
