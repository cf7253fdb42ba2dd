import { internal, type RealmFacts, type UserFacts, type UserGroupFacts } from '@tms/contracts'
import { type InternalClient, type KeptFacts, keptFacts } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'

/** A page of facts takes its owner longer than the calls on a request's path may. */
const PAGE_TIMEOUT = { timeoutMs: 30_000 }

/** What messaging keeps of users, groups and organizations, as looking again has it compared with their owners. */
export function keptByMessaging(call: InternalClient): readonly KeptFacts[] {
  return [keptRealms(call), keptUsers(call), keptGroups(call)]
}

const keptRealms = (call: InternalClient): KeptFacts =>
  keptFacts<RealmFacts>({
    kind: 'realms',
    table: 'known_realms',
    key: 'realm_id',
    columns: ['version', 'facts'],
    columnsOfNew: ['told_limited'],
    idIn: ({ user_id, group_id, realm_id }) => (user_id ?? group_id) === undefined && realm_id,
    idOf: ({ realm_id }) => realm_id,
    rowOf: (facts) => ({
      realm_id: facts.realm_id,
      version: facts.version,
      facts,
      told_limited: facts.can_access_all_users_group !== 'role:everyone',
    }),
    list: async (afterId, limit) => {
      const { realms } = await call(internal.realm.listRealmFacts, {}, PAGE_TIMEOUT)
      const later = realms.filter(({ realm_id }) => realm_id > afterId)
      return later.sort((one, other) => one.realm_id - other.realm_id).slice(0, limit)
    },
    find: async (realm_ids) =>
      (await call(internal.realm.listRealmFacts, { realm_ids: [...realm_ids] })).realms,
  })

const keptUsers = (call: InternalClient): KeptFacts =>
  keptFacts<UserFacts>({
    kind: 'users',
    table: 'known_users',
    key: 'user_id',
    columns: ['realm_id', 'email_key', 'name_key', 'version', 'facts'],
    columnsOfNew: ['told_role', 'told_active'],
    idIn: ({ user_id }) => user_id,
    idOf: ({ user_id }) => user_id,
    rowOf: (facts) => ({
      user_id: facts.user_id,
      realm_id: facts.realm_id,
      email_key: caseKey(facts.email),
      name_key: caseKey(facts.full_name),
      version: facts.version,
      facts,
      told_role: facts.role,
      told_active: facts.is_active,
    }),
    list: async (after_user_id, limit) =>
      (await call(internal.users.listUserFacts, { after_user_id, limit }, PAGE_TIMEOUT)).users,
    find: async (user_ids) =>
      (await call(internal.users.listUserFacts, { user_ids: [...user_ids] }, PAGE_TIMEOUT)).users,
  })

const keptGroups = (call: InternalClient): KeptFacts => {
  const list = async (after_group_id: number, limit: number) =>
    (await call(internal.users.listUserGroupFacts, { after_group_id, limit }, PAGE_TIMEOUT)).groups
  return keptFacts<UserGroupFacts>({
    kind: 'groups',
    table: 'known_groups',
    key: 'group_id',
    columns: [
      'realm_id',
      'name',
      'name_key',
      'member_ids',
      'subgroup_ids',
      'can_mention_group',
      'is_deleted',
      'version',
    ],
    idIn: ({ group_id }) => group_id,
    idOf: ({ group_id }) => group_id,
    rowOf: (facts) => ({ ...facts, name_key: caseKey(facts.name) }),
    list,
    find: async (ids) => {
      const found: UserGroupFacts[] = []
      // Groups are few, and those that differ fewer: a page of one for each.
      for (const id of ids) found.push(...(await list(id - 1, 1)).filter(({ group_id }) => group_id === id))
      return found
    },
  })
}
