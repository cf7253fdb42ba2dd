import {
  internal,
  type RealmProjection,
  restrictsGuestVisibility,
  type UserGroupProjection,
  type UserProjection,
} from '@tms/contracts'
import { type InternalClient, type ProjectionSpec, projectionSpec } from '@tms/service-kit'
import { caseKey } from '../kernel/text/case-key.ts'

/** A page takes its owner longer than calls on the path of a request may. */
const PAGE_TIMEOUT = { timeoutMs: 30_000 }

/** The projections of users, groups and organizations, as a replay compares them with their owners. */
export function messagingProjections(call: InternalClient): readonly ProjectionSpec[] {
  return [realmProjectionSpec(call), userProjectionSpec(call), groupProjectionSpec(call)]
}

const realmProjectionSpec = (call: InternalClient): ProjectionSpec =>
  projectionSpec<RealmProjection>({
    kind: 'realms',
    table: 'known_realms',
    key: 'realm_id',
    columns: ['version', 'projection'],
    columnsOfNew: ['published_limited'],
    idIn: ({ user_id, group_id, realm_id }) => (user_id ?? group_id) === undefined && realm_id,
    idOf: ({ realm_id }) => realm_id,
    rowOf: (projection) => ({
      realm_id: projection.realm_id,
      version: projection.version,
      projection,
      published_limited: restrictsGuestVisibility(projection),
    }),
    list: async (afterId, limit) => {
      const { realms } = await call(internal.realm.listRealmProjections, {}, PAGE_TIMEOUT)
      const later = realms.filter(({ realm_id }) => realm_id > afterId)
      return later.sort((one, other) => one.realm_id - other.realm_id).slice(0, limit)
    },
    find: async (realm_ids) =>
      (await call(internal.realm.listRealmProjections, { realm_ids: [...realm_ids] })).realms,
  })

const userProjectionSpec = (call: InternalClient): ProjectionSpec =>
  projectionSpec<UserProjection>({
    kind: 'users',
    table: 'known_users',
    key: 'user_id',
    columns: ['realm_id', 'email_key', 'name_key', 'version', 'projection'],
    columnsOfNew: ['published_role', 'published_active'],
    idIn: ({ user_id }) => user_id,
    idOf: ({ user_id }) => user_id,
    rowOf: (projection) => ({
      user_id: projection.user_id,
      realm_id: projection.realm_id,
      email_key: caseKey(projection.email),
      name_key: caseKey(projection.full_name),
      version: projection.version,
      projection,
      published_role: projection.role,
      published_active: projection.is_active,
    }),
    list: async (after_user_id, limit) =>
      (await call(internal.users.listUserProjections, { after_user_id, limit }, PAGE_TIMEOUT)).users,
    find: async (user_ids) =>
      (await call(internal.users.listUserProjections, { user_ids: [...user_ids] }, PAGE_TIMEOUT)).users,
  })

const groupProjectionSpec = (call: InternalClient): ProjectionSpec => {
  const list = async (after_group_id: number, limit: number) =>
    (await call(internal.users.listUserGroupProjections, { after_group_id, limit }, PAGE_TIMEOUT)).groups
  return projectionSpec<UserGroupProjection>({
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
    rowOf: (projection) => ({ ...projection, name_key: caseKey(projection.name) }),
    list,
    find: async (ids) => {
      const found: UserGroupProjection[] = []
      // One page of one group for each ID: groups are few, and those that differ fewer.
      for (const id of ids) found.push(...(await list(id - 1, 1)).filter(({ group_id }) => group_id === id))
      return found
    },
  })
}
