import { endpoints, systemGroupIds } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { groupOf } from '../../support/groups.ts'
import { say } from '../../support/people.ts'
import { allowedWhenOn, type Lane, outcomeOf, refusedWhenOn, whenOn } from '../change-row.ts'
import { flagsFor } from '../observations.ts'
import type { Stage } from '../stage.ts'
import { renderedBy } from './realm-setting.ts'

const { createUserGroup, removeUserGroup, updateUserGroup } = endpoints.users
const { updateUserGroupMembers, updateUserGroupSubgroups } = endpoints.users
const { sendMessage, subscribe } = endpoints.messaging
const { updateRealm } = endpoints.realm

const newGroup = async (
  { owner, newName }: Stage,
  members: readonly ApiClient[] = [],
): Promise<{ readonly id: number; readonly name: string }> => {
  const name = newName('group')
  await owner.call(createUserGroup, { name, description: '', members: members.map(({ userId }) => userId) })
  return groupOf(owner, name)
}
const isMention = async (client: ApiClient, name: string): Promise<boolean> =>
  (await renderedBy(client, `@*${name}*`)).includes('user-group-mention')

/** Groups that people make. */
export const groupRows: Lane = {
  subject: 'user groups',
  rows: [
    {
      name: 'a group is created, then mentioned by name, which had no group a moment before',
      covers: [createUserGroup],
      prepare: async (stage) => {
        const { owner, newName } = stage
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
      prepare: async (stage) => {
        const { id, name } = await newGroup(stage)
        const nameIn = (index: number) => `${name} ${index}`
        return {
          change: (at, { index }) =>
            at(stage.owner).call(updateUserGroup, { user_group_id: id, name: nameIn(index) }),
          use: (at, { index }) => isMention(at(stage.owner), nameIn(index)),
          expected: () => true,
        }
      },
    },
    {
      name: 'a group may no longer be mentioned by a member, then is',
      covers: [updateUserGroup],
      prepare: async (stage) => {
        const member = await stage.createUser()
        const { id, name } = await newGroup(stage, [stage.owner])
        const channel = await stage.createChannel([member, stage.owner])
        const message = { type: 'channel', to: channel.id, topic: 'a topic', content: `@*${name}*` } as const
        return {
          change: (at, { isOn }) =>
            at(stage.owner).call(updateUserGroup, {
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
      prepare: async (stage) => {
        const [member, other] = [await stage.createUser(), await stage.createUser()]
        const { id, name } = await newGroup(stage)
        const channel = await stage.createChannel([member, other])
        return {
          event: {
            watcher: other,
            type: 'user_group',
            isOfTurn: ({ op }, { isOn }) => op === (isOn ? 'add_members' : 'remove_members'),
          },
          change: (at, { isOn }) =>
            at(stage.owner).call(updateUserGroupMembers, {
              user_group_id: id,
              [isOn ? 'add' : 'delete']: [member.userId],
            }),
          use: async (at) =>
            (await flagsFor(member, await say(at(other), channel.id, `@*${name}*`))).includes('mentioned'),
          expected: whenOn,
        }
      },
    },
    {
      name: 'somebody comes into a group or leaves it, then does what its members may',
      covers: [updateUserGroupMembers],
      prepare: async (stage) => {
        const member = await stage.createUser()
        const { id } = await newGroup(stage)
        await stage.owner.call(updateRealm, { can_create_public_channel_group: id })
        return {
          change: (at, { isOn }) =>
            at(stage.owner).call(updateUserGroupMembers, {
              user_group_id: id,
              [isOn ? 'add' : 'delete']: [member.userId],
            }),
          use: async (at) =>
            outcomeOf(
              await at(member).send(subscribe, { subscriptions: [{ name: stage.newName('by member') }] }),
            ),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a group comes into another one or leaves it, then a member does what the other one may',
      covers: [updateUserGroupSubgroups],
      prepare: async (stage) => {
        const member = await stage.createUser()
        const [outer, inner] = [await newGroup(stage), await newGroup(stage, [member])]
        await stage.owner.call(updateRealm, { can_create_public_channel_group: outer.id })
        return {
          change: (at, { isOn }) =>
            at(stage.owner).call(updateUserGroupSubgroups, {
              user_group_id: outer.id,
              [isOn ? 'add' : 'delete']: [inner.id],
            }),
          use: async (at) =>
            outcomeOf(
              await at(member).send(subscribe, { subscriptions: [{ name: stage.newName('by member') }] }),
            ),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a group is removed, then mentioned',
      covers: [removeUserGroup],
      prepare: async (stage) => {
        let group = { id: 0, name: '' }
        return {
          prepareTurn: async () => {
            group = await newGroup(stage)
          },
          change: (at) => at(stage.owner).call(removeUserGroup, { user_group_id: group.id }),
          use: (at) => isMention(at(stage.owner), group.name),
          expected: () => false,
        }
      },
    },
  ],
}
