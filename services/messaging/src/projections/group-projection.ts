import { internal, type UserGroupProjection, userGroupProjection } from '@tms/contracts'
import { defineProjection, type InternalClient, publisherOf } from '@tms/service-kit'
import { caseKey } from '../kernel/text/case-key.ts'
import { listPendingGroups } from './group-access.queries.ts'
import { publishGroupAccess } from './publish-group-access.ts'

const publish = publisherOf('messaging')

/** Custom groups. System groups follow from roles. */
export const knownGroups = defineProjection({
  name: 'groups',
  record: userGroupProjection,
  table: 'known_groups',
  key: 'group_id',
  columns: {
    realm_id: ({ realm_id }) => realm_id,
    name: ({ name }) => name,
    name_key: ({ name }) => caseKey(name),
    member_ids: ({ member_ids }) => member_ids,
    subgroup_ids: ({ subgroup_ids }) => subgroup_ids,
    can_mention_group: ({ can_mention_group }) => can_mention_group,
    is_deactivated: ({ is_deactivated }) => is_deactivated ?? false,
    is_deleted: ({ is_deleted }) => is_deleted,
  },
  deletion: { column: 'is_deleted', idsIn: 'removed_group_ids' },
  consequences: {
    listPending: listPendingGroups,
    publish: (tx, groupId, requestId) => publishGroupAccess(tx, publish, groupId, requestId),
  },
  load: {
    // Fewer than users, since each group comes with all its members.
    pageSize: 500,
    list: (call, { after, limit }) => listGroups(call, after, limit),
    find: async (call, ids) => {
      const found: UserGroupProjection[] = []
      // One page of one group for each ID: groups are few, and those that differ fewer.
      for (const id of ids)
        found.push(...(await listGroups(call, id - 1, 1)).filter(({ group_id }) => group_id === id))
      return found
    },
  },
})

const listGroups = async (call: InternalClient, after_group_id: number, limit: number) =>
  (await call(internal.users.listUserGroupProjections, { after_group_id, limit })).groups
