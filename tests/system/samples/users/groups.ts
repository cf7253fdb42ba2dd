import { newGroup, newGroupName } from '../../support/groups.ts'
import { json } from '../naming.ts'
import { namesNothing, type SamplesOf } from '../sample.ts'

export const groupSamples = {
  createUserGroup: {
    valid: () => ({ name: newGroupName(), description: '', members: '[]' }),
    foreign: ({ user, group }) => [
      { name: 'of foreign users', description: '', members: `[${user}]` },
      { name: 'for foreign users', description: '', members: '[]', can_mention_group: group },
    ],
  },
  listUserGroups: namesNothing({ include_deactivated_groups: 'true' }),
  updateUserGroup: {
    valid: ({ group }) => ({ ...group, description: 'a sample' }),
    foreign: ({ group: user_group_id }, own) => [
      { user_group_id, name: 'Taken over' },
      { user_group_id: own.group, can_mention_group: user_group_id },
    ],
  },
  removeUserGroup: {
    valid: async ({ owner }) => ({ user_group_id: String((await newGroup(owner)).id) }),
    foreign: ({ group: user_group_id }) => [{ user_group_id }],
  },
  deactivateUserGroup: {
    valid: async ({ owner }) => ({ user_group_id: String((await newGroup(owner)).id) }),
    foreign: ({ group: user_group_id }) => [{ user_group_id }],
  },
  updateUserGroupMembers: {
    valid: async ({ group, createUser }) => ({ ...group, add: json([(await createUser()).userId]) }),
    foreign: ({ group: user_group_id, user }, own) => [
      { user_group_id, add: `[${own.user}]` },
      { user_group_id: own.group, add: `[${user}]` },
      { user_group_id: own.group, delete: `[${user}]` },
    ],
  },
  listUserGroupMembers: {
    valid: ({ group }) => group,
    foreign: ({ group: user_group_id }) => [{ user_group_id }],
  },
  isUserGroupMember: {
    valid: ({ group, member }) => ({ ...group, user_id: String(member.userId) }),
    foreign: ({ user: user_id, group: user_group_id }, own) => [
      { user_group_id, user_id },
      { user_group_id, user_id: own.user },
      { user_group_id: own.group, user_id },
    ],
  },
  updateUserGroupSubgroups: {
    valid: async ({ group, owner }) => ({ ...group, add: json([(await newGroup(owner)).id]) }),
    foreign: ({ group: user_group_id }, own) => [
      { user_group_id, add: `[${own.group}]` },
      { user_group_id: own.group, add: `[${user_group_id}]` },
    ],
  },
  listUserGroupSubgroups: {
    valid: ({ group }) => group,
    foreign: ({ group: user_group_id }) => [{ user_group_id }],
  },
} satisfies SamplesOf<'users'>
