import { endpoints, systemGroupIds } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { groupOf, newGroup } from './groups.ts'

const { getChannelId, sendMessage, subscribe, unsubscribe, updateChannel, updateUserTopic } =
  endpoints.messaging
const { updateUserGroupMembers, updateUserGroupSubgroups } = endpoints.users

/**
 * Changes of who sees and reads private channels by a permission, for `startWorkload`: of members of groups and subgroups, of the
 * permissions, of the channel's kind, and of its subscribers.
 */
export async function accessWorkload(
  owner: ApiClient,
  users: readonly ApiClient[],
): Promise<((turn: number) => Promise<unknown>)[]> {
  const pick = (turn: number): ApiClient => users[turn % users.length] as ApiClient
  const names = ['loft', 'shed']
  const inner = await newGroup(owner)
  const outer = await newGroup(owner, [], { subgroups: [inner.id] })
  await owner.call(subscribe, {
    subscriptions: names.map((name) => ({ name })),
    invite_only: true,
    history_public_to_subscribers: true,
    can_subscribe_group: outer.id,
  })
  const ids: number[] = []
  for (const stream of names) ids.push((await owner.call(getChannelId, { stream })).stream_id)
  const id = (turn: number): number => ids[turn % ids.length] as number
  const change = (turn: number, changes: object) =>
    owner.call(updateChannel, { stream_id: id(turn), ...changes })
  const administrators = [
    systemGroupIds['role:nobody'],
    { direct_members: [pick(0).userId, pick(1).userId], direct_subgroups: [] },
    systemGroupIds['role:moderators'],
    { direct_members: [pick(2).userId], direct_subgroups: [inner.id] },
  ]

  return [
    async (turn) => {
      const { members } = await groupOf(owner, inner.name)
      const next = [pick(turn).userId, pick(turn + 1).userId]
      await owner.call(updateUserGroupMembers, {
        user_group_id: inner.id,
        add: next.filter((userId) => !members.includes(userId)),
        delete: members.filter((userId) => !next.includes(userId)),
      })
    },
    async () => {
      await owner.call(updateUserGroupSubgroups, { user_group_id: outer.id, delete: [inner.id] })
      await owner.call(updateUserGroupSubgroups, { user_group_id: outer.id, add: [inner.id] })
    },
    (turn) => change(turn, { can_administer_channel_group: administrators[turn % administrators.length] }),
    async (turn) => {
      await change(turn, { can_subscribe_group: systemGroupIds['role:nobody'] })
      await change(turn, { can_subscribe_group: outer.id })
      if (turn % 3 === 0) await change(turn, { is_private: false, can_add_subscribers_group: inner.id })
      if (turn % 3 === 0) await change(turn, { is_private: true, history_public_to_subscribers: true })
    },
    // Those who see the channel at the moment succeed.
    async (turn) => {
      const [user, name] = [pick(turn), names[turn % names.length] as string]
      const topic = `t${turn % 3}`
      await user.send(updateUserTopic, {
        stream_id: id(turn),
        topic,
        visibility_policy: turn % 2 === 0 ? 1 : 3,
      })
      await user.send(sendMessage, { type: 'channel', to: id(turn), topic, content: `${turn}` })
      await user.send(subscribe, { subscriptions: [{ name }] })
      await owner.call(unsubscribe, { subscriptions: [name], principals: [user.userId] })
    },
  ]
}
