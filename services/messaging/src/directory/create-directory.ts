import { badRequest, internal, type RealmFacts } from '@tms/contracts'
import type { InternalClient, Pool } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { caseKey } from '../case-key.ts'
import { listKnownGroupsByName, saveGroups } from '../groups/known-group.queries.ts'
import { readAlertWordChanges } from './alert-word.queries.ts'
import type { Directory, KnownUser } from './directory.ts'
import { keepWatchedWords } from './keep-watched-words.ts'
import {
  findKnownRealm,
  findSystemBot,
  listKnownUsers,
  listKnownUsersByEmail,
  listKnownUsersByName,
  listMuters,
  saveRealms,
  saveUsers,
} from './projection.queries.ts'

/** How stale an answer may be: too small costs a query per message, too large shows old names. */
const CACHE_MS = 1_000
/** What an organization changes counts within a second everywhere, the way of the news included. */
const REALM_CACHE_MS = 500
const MAX_CACHED_USERS = 20_000
/** Of what a text calls a group and is known as none: nobody means more groups than this. */
const MAX_NAMES_ASKED = 20
/** A message doesn't wait longer to find out whether such a group was just made. */
const GROUPS_TIMEOUT_MS = 1_000
const MAX_CACHED_REALMS = 2_000

/** A directory over the projection in `db`; what that doesn't know it asks the owner for, and keeps. */
export function createDirectory(db: Pool, call: InternalClient): Directory {
  const users = new LRUCache<number, KnownUser>({ max: MAX_CACHED_USERS, ttl: CACHE_MS })
  const realms = new LRUCache<number, RealmFacts>({ max: MAX_CACHED_REALMS, ttl: REALM_CACHE_MS })
  const systemBots = new LRUCache<number, KnownUser>({ max: MAX_CACHED_REALMS, ttl: CACHE_MS })
  const muters = new LRUCache<number, readonly number[]>({ max: MAX_CACHED_USERS, ttl: CACHE_MS })
  const getWatchedWords = keepWatchedWords({
    read: (realmId, since) => readAlertWordChanges(db, realmId, since),
    maxAgeMs: CACHE_MS,
    maxRealms: MAX_CACHED_REALMS,
  })

  const unknownGroups = new LRUCache<string, true>({ max: MAX_CACHED_USERS, ttl: CACHE_MS })

  /** Of those who ask for the same at once, as all do when it is forgotten, one asks the database. */
  const asking = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const asked = asking.get(key) as Promise<T> | undefined
    if (asked) return asked
    const asks = ask().finally(() => asking.delete(key))
    asking.set(key, asks)
    return asks
  }

  const remember = (found: readonly KnownUser[]) => {
    for (const user of found) users.set(user.user_id, user)
    return found
  }

  const fetchUsers = async (wanted: { user_ids?: number[]; emails?: string[]; realm_id?: number }) => {
    if ((wanted.user_ids ?? wanted.emails ?? []).length === 0) return []
    const { users: told } = await call(internal.users.listUserFacts, wanted)
    if (told.length > 0) await saveUsers(db, told)
    return remember(told)
  }

  const findUsers = async (userIds: readonly number[]): Promise<Map<number, KnownUser>> => {
    const found = new Map<number, KnownUser>()
    const missing = (): number[] => [...new Set(userIds)].filter((id) => !found.has(id))
    const add = (list: readonly KnownUser[]) => {
      for (const user of list) found.set(user.user_id, user)
    }

    add(userIds.map((id) => users.get(id)).filter((user) => user !== undefined))
    const uncached = missing()
    if (uncached.length > 0) add(remember(await listKnownUsers(db, uncached)))
    add(await fetchUsers({ user_ids: missing() }))
    return found
  }

  const findGroupsByNames = async (realmId: number, lowerNames: readonly string[]) => {
    if (lowerNames.length === 0) return []
    const known = await listKnownGroupsByName(db, realmId, lowerNames)
    const found = new Set(known.map(({ name }) => caseKey(name)))
    const missing = lowerNames
      .filter((name) => !found.has(name) && !unknownGroups.has(`${realmId} ${name}`))
      .slice(0, MAX_NAMES_ASKED)
    if (missing.length === 0) return known
    // A text may name anything; what is no group, or can't be asked for, stays text.
    const question = { realm_id: realmId, names: missing }
    const { groups } = await call(internal.users.listUserGroupFacts, question, {
      timeoutMs: GROUPS_TIMEOUT_MS,
    }).catch(() => ({ groups: [] }))
    await saveGroups(db, groups)
    for (const name of missing) unknownGroups.set(`${realmId} ${name}`, true)
    return groups.length === 0 ? known : listKnownGroupsByName(db, realmId, lowerNames)
  }

  const askRealm = async (realmId: number): Promise<RealmFacts> => {
    const known = await findKnownRealm(db, realmId)
    if (known) {
      realms.set(realmId, known)
      return known
    }
    const { realms: told } = await call(internal.realm.listRealmFacts, { realm_ids: [realmId] })
    const [facts] = told
    if (!facts) throw badRequest('No such organization')
    await saveRealms(db, told)
    realms.set(realmId, facts)
    return facts
  }

  return {
    getRealm: async (realmId) => realms.get(realmId) ?? once(`realm ${realmId}`, () => askRealm(realmId)),

    getUser: async (userId) => {
      const known = users.get(userId) ?? (await once(`user ${userId}`, () => findUsers([userId]))).get(userId)
      if (!known) throw badRequest('No such user')
      return known
    },

    findUsersByIds: async (realmId, userIds) => {
      const found = await findUsers(userIds)
      for (const [id, user] of found) if (user.realm_id !== realmId) found.delete(id)
      return found
    },

    findUsersByEmails: async (realmId, emails) => {
      const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
      const known = remember(await listKnownUsersByEmail(db, realmId, wanted))
      const found = new Map(known.map((user) => [user.email.toLowerCase(), user]))
      const missing = wanted.filter((email) => !found.has(email))
      for (const user of await fetchUsers({ realm_id: realmId, emails: missing })) {
        found.set(user.email.toLowerCase(), user)
      }
      return found
    },

    getSystemBot: async (realmId) => {
      const known = systemBots.get(realmId) ?? (await findSystemBot(db, realmId))
      if (known) {
        if (!systemBots.has(realmId)) systemBots.set(realmId, known)
        return known
      }
      const { user } = await call(internal.users.ensureSystemBot, { realm_id: realmId })
      await saveUsers(db, [user])
      systemBots.set(realmId, user)
      return user
    },

    findDefaultChannel: async (botId) =>
      (await call(internal.users.getBotDefaults, { user_id: botId })).sending_stream_id,

    listMuters: async (realmId, userId) =>
      muters.get(userId) ??
      once(`muters ${userId}`, async () => {
        const found = await listMuters(db, realmId, userId)
        muters.set(userId, found)
        return found
      }),

    findAlerted: async (realmId, content) => (await getWatchedWords(realmId)).find(content),

    findUsersByNames: async (realmId, lowerNames) =>
      lowerNames.length === 0 ? [] : listKnownUsersByName(db, realmId, lowerNames),

    findGroupsByNames,
  }
}
