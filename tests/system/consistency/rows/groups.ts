import { endpoints, systemGroupIds, type UserGroup } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { groupOf } from '../../support/groups.ts'
import { sendToChannel } from '../../support/users-and-channels.ts'
import { allowedWhenOn, outcomeOf, type RowGroup, refusedWhenOn, whenOn } from '../change-row.ts'
import type { Environment } from '../environment.ts'
import { flagsFor } from '../observations.ts'
import { renderedBy } from './realm-setting.ts'

const { createUserGroup, deactivateUserGroup, removeUserGroup, updateUserGroup } = endpoints.users
const { deactivateUser, reactivateUser, updateUserGroupMembers, updateUserGroupSubgroups } = endpoints.users
const { getMessage, sendMessage, subscribe } = endpoints.messaging
const { updateRealm } = endpoints.realm

const newGroup = async (
  { owner, newName }: Environment,
  members: readonly ApiClient[] = [],
): Promise<{ readonly id: number; readonly name: string }> => {
  const name = newName('group')
  await owner.call(createUserGroup, { name, description: '', members: members.map(({ userId }) => userId) })
  return groupOf(owner, name)
}
const isMention = async (client: ApiClient, name: string): Promise<boolean> =>
  (await renderedBy(client, `@*${name}*`)).includes('user-group-mention')

/** Custom groups. */
export const groupRows: RowGroup = {
  subject: 'user groups',
  rows: [
    {
      name: 'a group is created, then mentioned by name, which had no group a moment before',
      covers: [createUserGroup],
      prepare: async (environment) => {
        const { owner, newName } = environment
        let name = ''
        return {
          prepareTurn: async (at) => {
            name = newName('group')
            await isMention(at(owner), name)
          },
          change: (at) => at(owner).call(createUserGroup, { name, description: '', members: [] }),
          use: (at) => isMention(at(owner), name),
          expected: () => true,
        }
      },
    },
    {
      name: 'a group is renamed, then mentioned by its new name',
      covers: [updateUserGroup],
      prepare: async (environment) => {
        const { id, name } = await newGroup(environment)
        const nameIn = (index: number) => `${name} ${index}`
        return {
          change: (at, { index }) =>
            at(environment.owner).call(updateUserGroup, { user_group_id: id, name: nameIn(index) }),
          use: (at, { index }) => isMention(at(environment.owner), nameIn(index)),
          expected: () => true,
        }
      },
    },
    {
      name: 'a group may no longer be mentioned by a member, then is',
      covers: [updateUserGroup],
      prepare: async (environment) => {
        const member = await environment.createUser()
        const { id, name } = await newGroup(environment, [environment.owner])
        const channel = await environment.createChannel([member, environment.owner])
        const message = { type: 'channel', to: channel.id, topic: 'a topic', content: `@*${name}*` } as const
        return {
          change: (at, { isOn }) =>
            at(environment.owner).call(updateUserGroup, {
              user_group_id: id,
              can_mention_group: { new: systemGroupIds[isOn ? 'role:moderators' : 'role:everyone'] },
            }),
          use: async (at) => outcomeOf(await at(member).send(sendMessage, message)),
          expected: refusedWhenOn,
        }
      },
    },
    {
      name: 'somebody comes into a group or leaves it, then the group is mentioned',
      covers: [updateUserGroupMembers],
      isRunByEvent: true,
      prepare: async (environment) => {
        const [member, other] = [await environment.createUser(), await environment.createUser()]
        const { id, name } = await newGroup(environment)
        const channel = await environment.createChannel([member, other])
        return {
          event: {
            watcher: other,
            type: 'user_group',
            isOfTurn: ({ op }, { isOn }) => op === (isOn ? 'add_members' : 'remove_members'),
          },
          change: (at, { isOn }) =>
            at(environment.owner).call(updateUserGroupMembers, {
              user_group_id: id,
              [isOn ? 'add' : 'delete']: [member.userId],
            }),
          use: async (at) =>
            (await flagsFor(member, await sendToChannel(at(other), channel.id, `@*${name}*`))).includes(
              'mentioned',
            ),
          expected: whenOn,
        }
      },
    },
    {
      name: 'somebody comes into a group or leaves it, then does what its members may',
      covers: [updateUserGroupMembers],
      prepare: async (environment) => {
        const member = await environment.createUser()
        const { id } = await newGroup(environment)
        await environment.owner.call(updateRealm, { can_create_public_channel_group: id })
        return {
          change: (at, { isOn }) =>
            at(environment.owner).call(updateUserGroupMembers, {
              user_group_id: id,
              [isOn ? 'add' : 'delete']: [member.userId],
            }),
          use: async (at) =>
            outcomeOf(
              await at(member).send(subscribe, {
                subscriptions: [{ name: environment.newName('by member') }],
              }),
            ),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'somebody comes into a group or leaves it, then reads a private channel that its members may join',
      covers: [updateUserGroupMembers],
      prepare: async (environment) => {
        const { owner, newName } = environment
        const member = await environment.createUser()
        const { id } = await newGroup(environment)
        const name = newName('channel of a group')
        await owner.call(subscribe, {
          subscriptions: [{ name }],
          invite_only: true,
          history_public_to_subscribers: true,
          can_subscribe_group: id,
        })
        const message_id = await sendToChannel(owner, name, 'for members')
        return {
          change: (at, { isOn }) =>
            at(owner).call(updateUserGroupMembers, {
              user_group_id: id,
              [isOn ? 'add' : 'delete']: [member.userId],
            }),
          use: async (at) => outcomeOf(await at(member).send(getMessage, { message_id })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a group comes into another one or leaves it, then a member does what the other one may',
      covers: [updateUserGroupSubgroups],
      prepare: async (environment) => {
        const member = await environment.createUser()
        const [outer, inner] = [await newGroup(environment), await newGroup(environment, [member])]
        await environment.owner.call(updateRealm, { can_create_public_channel_group: outer.id })
        return {
          change: (at, { isOn }) =>
            at(environment.owner).call(updateUserGroupSubgroups, {
              user_group_id: outer.id,
              [isOn ? 'add' : 'delete']: [inner.id],
            }),
          use: async (at) =>
            outcomeOf(
              await at(member).send(subscribe, {
                subscriptions: [{ name: environment.newName('by member') }],
              }),
            ),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'somebody is deactivated or reactivated, then permissions are read that name them',
      covers: [deactivateUser, reactivateUser],
      prepare: async (environment) => {
        const { owner } = environment
        const member = await environment.createUser()
        const named = { direct_members: [owner.userId, member.userId], direct_subgroups: [] }
        const group = await newGroup(environment, [member])
        await owner.call(updateRealm, { can_add_custom_emoji_group: named })
        return {
          change: (at, { isOn }) =>
            at(owner).call(isOn ? deactivateUser : reactivateUser, { user_id: member.userId }),
          use: async (at) => {
            const state: unknown = await at(owner).call(endpoints.events.register, {
              event_types: [],
              fetch_event_types: ['realm', 'realm_user_groups'],
            })
            const { realm_can_add_custom_emoji_group: permission, realm_user_groups: groups } = state as {
              realm_can_add_custom_emoji_group: typeof named
              realm_user_groups: UserGroup[]
            }
            const members = groups.find(({ id }) => id === group.id)?.members ?? []
            const isNamed =
              typeof permission === 'object' && permission.direct_members.includes(member.userId)
            return !isNamed && !members.includes(member.userId)
          },
          expected: whenOn,
        }
      },
    },
    {
      name: 'a group is deactivated, then mentioned',
      covers: [deactivateUserGroup, removeUserGroup],
      prepare: async (environment) => {
        let group = { id: 0, name: '' }
        return {
          prepareTurn: async () => {
            group = await newGroup(environment)
          },
          change: (at, { isOn }) =>
            at(environment.owner).call(isOn ? deactivateUserGroup : removeUserGroup, {
              user_group_id: group.id,
            }),
          use: (at) => isMention(at(environment.owner), group.name),
          expected: () => false,
        }
      },
    },
  ],
}
