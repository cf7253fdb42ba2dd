import { endpoints, Role, systemGroupIds, type UserGroup } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newGroup, newGroupName } from '../support/groups.ts'
import { until } from '../support/until.ts'
import {
  newChannel,
  newUserOfRole,
  newUsers,
  sendDirectly,
  sendToChannel,
} from '../support/users-and-channels.ts'

const { editMessage, getMessage, getMessages, renderMessage, sendMessage } = endpoints.messaging
const { removeUserGroup, updateUserGroup, updateUserGroupMembers, updateUserGroupSubgroups } = endpoints.users

export const groupMentionTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let sender: ApiClient
  let inside: ApiClient
  let outside: ApiClient
  let inGroup: ApiClient
  let moderator: ApiClient
  let group: UserGroup
  let channel: { name: string; id: number }
  /** All except `inGroup`, who is in the group and not in the channel. */
  let subscribers: ApiClient[]
  beforeAll(async () => {
    owner = system().owner
    ;[sender, inside, outside, inGroup] = await newUsers(system(), 4)
    moderator = await newUserOfRole(system(), Role.moderator)
    subscribers = [sender, inside, outside, moderator]
    channel = await newChannel(sender, { others: [inside, outside, moderator] })
    group = await newGroup(inside, [inGroup])
  })

  const isMentioned = async (client: ApiClient, message_id: number): Promise<boolean> => {
    const { message } = await client.call(getMessage, { message_id })
    return (message as { flags: string[] }).flags.includes('mentioned')
  }
  const mentionedBy = async (message_id: number): Promise<ApiClient[]> => {
    const mentioned: ApiClient[] = []
    for (const client of subscribers) if (await isMentioned(client, message_id)) mentioned.push(client)
    return mentioned
  }
  const htmlOf = async (content: string): Promise<string> =>
    (await sender.call(renderMessage, { content })).rendered

  describe('mentions of groups', () => {
    test('notify the members who receive the message', async () => {
      const id = await sendToChannel(sender, channel.name, `@*${group.name.toUpperCase()}* hello`)

      expect(await mentionedBy(id)).toEqual([inside])
      const { message } = await inside.call(getMessage, { message_id: id })
      expect(message.content).toBe(
        `<p><span class="user-group-mention" data-user-group-id="${group.id}">@${group.name}</span> hello</p>`,
      )
      const narrow = [{ operator: 'is', operand: 'mentioned' }]
      const found = await inside.call(getMessages, { anchor: 'newest', num_before: 1, num_after: 0, narrow })
      expect(found.messages.map((one) => one.id)).toEqual([id])
    })

    test('notify nobody if they are silent', async () => {
      const id = await sendToChannel(sender, channel.name, `@_*${group.name}* hello`)

      expect(await mentionedBy(id)).toEqual([])
      const { message } = await inside.call(getMessage, { message_id: id })
      expect(message.content).toContain(
        `<span class="user-group-mention silent" data-user-group-id="${group.id}">${group.name}</span>`,
      )
    })

    test('notify members in a conversation', async () => {
      const id = await sendDirectly(sender, [inside, outside], `@*${group.name}*`)

      expect(await mentionedBy(id).catch(() => null)).toBeNull()
      expect(await isMentioned(inside, id)).toBe(true)
      expect(await isMentioned(outside, id)).toBe(false)
    })

    test('make the notified members follow the topic', async () => {
      const topic = newGroupName()
      await sendToChannel(sender, channel.name, `@*${group.name}*`, topic)

      const topicsOf = async (client: ApiClient) => {
        const state = await client.call(endpoints.events.register, { fetch_event_types: ['user_topic'] })
        return (state as unknown as { user_topics: { topic_name: string; visibility_policy: number }[] })
          .user_topics
      }
      const followed = expect.objectContaining({ topic_name: topic, visibility_policy: 3 })
      expect(await topicsOf(inside)).toContainEqual(followed)
      expect(await topicsOf(outside)).not.toContainEqual(followed)
    })

    test('notify members of subgroups and users of the roles in them', async () => {
      const [outer, inner] = [await newGroup(owner), await newGroup(owner, [outside])]
      await owner.call(updateUserGroupSubgroups, { user_group_id: outer.id, add: [inner.id] })
      const reached = async () => mentionedBy(await sendToChannel(sender, channel.name, `@*${outer.name}*`))

      expect(await reached()).toEqual([outside])
      await owner.call(updateUserGroupSubgroups, {
        user_group_id: inner.id,
        add: [systemGroupIds['role:moderators']],
      })
      expect(await reached()).toEqual([outside, moderator])
      await owner.call(updateUserGroupMembers, { user_group_id: inner.id, delete: [outside.userId] })
      expect(await reached()).toEqual([moderator])
    })

    test('of roles are plain text', async () => {
      expect(await htmlOf('@*role:members*')).toBe('<p>@<em>role:members</em></p>')
    })

    test('follow a renamed group, and are plain text once it is deleted', async () => {
      const { id: user_group_id, name: before } = await newGroup(owner)
      const name = newGroupName()
      await owner.call(updateUserGroup, { user_group_id, name })
      expect(await htmlOf(`@*${name}*`)).toContain(`data-user-group-id="${user_group_id}"`)
      expect(await htmlOf(`@*${before}*`)).toBe(`<p>@<em>${before}</em></p>`)

      await owner.call(removeUserGroup, { user_group_id })

      expect(await htmlOf(`@*${name}*`)).toBe(`<p>@<em>${name}</em></p>`)
    })

    test('notify the current members after an edit, and no longer those of the previous text', async () => {
      const message_id = await sendToChannel(sender, channel.name, `@**|${outside.userId}**`)

      await sender.call(editMessage, { message_id, content: `@*${group.name}*` })
      expect(await mentionedBy(message_id)).toEqual([inside])

      await sender.call(editMessage, { message_id, content: 'nobody' })
      expect(await mentionedBy(message_id)).toEqual([])
    })

    test('name system groups silently only', async () => {
      expect(await htmlOf('@_*role:moderators*')).toBe(
        '<p><span class="user-group-mention silent" data-user-group-id="3">Moderators</span></p>',
      )
      expect(await htmlOf('@*role:moderators*')).toBe('<p>@<em>role:moderators</em></p>')
      expect(await mentionedBy(await sendToChannel(sender, channel.name, '@_*role:moderators*'))).toEqual([])
    })

    test('move with the message', async () => {
      const other = await newChannel(sender, { others: [inside, outside, moderator] })
      const message_id = await sendToChannel(sender, channel.name, `@*${group.name}*`)

      await sender.call(editMessage, { message_id, stream_id: other.id, topic: 'elsewhere' })

      expect(await mentionedBy(message_id)).toEqual([inside])
    })
  })

  describe('permission to mention a group', () => {
    test.each<[string, () => UserGroup['can_mention_group'], () => ApiClient[]]>([
      ['nobody', () => systemGroupIds['role:nobody'], () => []],
      ['everyone', () => systemGroupIds['role:everyone'], () => subscribers],
      ['moderators', () => systemGroupIds['role:moderators'], () => [moderator]],
      ['full members', () => systemGroupIds['role:fullmembers'], () => subscribers],
      ['the members of a group', () => group.id, () => [inside]],
      [
        'one user and a group',
        () => ({ direct_members: [sender.userId], direct_subgroups: [group.id] }),
        () => [sender, inside],
      ],
      ['no one in a list', () => ({ direct_members: [], direct_subgroups: [] }), () => []],
    ])('%s', async (_, permission, expected) => {
      const { name } = await newGroup(owner, [], { can_mention_group: permission() })
      const able: ApiClient[] = []
      for (const client of subscribers) {
        const answer = await client.send(sendMessage, {
          type: 'channel',
          to: channel.name,
          topic: 'a topic',
          content: `@*${name}*`,
        })
        if (answer.status === 200) able.push(client)
        else expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }

      expect(able).toEqual(expected())
    })

    test('is checked again: a user who was removed from the group may no longer', async () => {
      const { id: user_group_id } = await newGroup(owner, [sender])
      const { name } = await newGroup(owner, [], { can_mention_group: user_group_id })
      const direct = { type: 'direct' as const, to: [inside.userId], content: `@*${name}*` }
      expect(await sender.send(sendMessage, direct)).toMatchObject(success())

      await owner.call(updateUserGroupMembers, { user_group_id, delete: [sender.userId] })

      expect(await sender.send(sendMessage, direct)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('is checked in conversations and edits, not for silent mentions', async () => {
      const { name } = await newGroup(owner, [], { can_mention_group: systemGroupIds['role:nobody'] })
      const message_id = await sendToChannel(sender, channel.name, `@_*${name}*`)
      const direct = { type: 'direct' as const, to: [inside.userId], content: `@*${name}*` }

      expect(await sender.send(sendMessage, direct)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await sender.send(editMessage, { message_id, content: `@*${name}*` })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await sender.send(editMessage, { message_id, content: `> @*${name}*` })).toMatchObject(success())
    })
  })

  describe('a user who is added to a group by another', () => {
    const noticesOf = async (client: ApiClient, named: string): Promise<string[]> => {
      const narrow = [{ operator: 'is', operand: 'dm' }]
      const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: true }
      const { messages } = await client.call(getMessages, page)
      const texts = messages.filter((one) => one.sender_full_name === 'Notification Bot')
      return texts.map(({ content }) => content).filter((content) => content.includes(named))
    }

    test('gets a notice, also about the removal, unless they did it themselves', async () => {
      const can_remove_members_group = { direct_members: [inside.userId], direct_subgroups: [] }
      const { id: user_group_id, name } = await newGroup(owner, [], { can_remove_members_group })
      const add = [inside.userId, sender.userId]
      await owner.call(updateUserGroupMembers, { user_group_id, add })
      await inside.call(updateUserGroupMembers, { user_group_id, delete: [sender.userId, inside.userId] })
      const mention = `<span class="user-group-mention silent" data-user-group-id="${user_group_id}">${name}</span>`

      // Messaging notifies them when it has the events of users.
      await until(async () => (await noticesOf(sender, mention)).length === 2)

      expect(await noticesOf(sender, mention)).toEqual([
        expect.stringContaining(`added you to the group ${mention}`),
        expect.stringContaining(`removed you from the group ${mention}`),
      ])
      expect(await noticesOf(inside, mention)).toEqual([
        expect.stringContaining(`added you to the group ${mention}`),
      ])
    })
  })
}
