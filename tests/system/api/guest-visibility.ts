import { endpoints, Role } from '@tms/contracts'
import {
  type Answer,
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { canSee, newGuestWithoutChannels, setGuestVisibility, visibilityTo } from '../support/guests.ts'
import { createChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { getStatus, getUser, getUserByEmail, getUserPresence, listUsers, muteUser } = endpoints.users
const { getRealmPresence, updatePresence, updateStatus, updateUser } = endpoints.users
const {
  addReaction,
  archiveChannel,
  createDrafts,
  getMessages,
  renderMessage,
  sendMessage,
  setTypingStatus,
} = endpoints.messaging
const { subscribe, unsubscribe } = endpoints.messaging
const CAPABILITIES = { notification_settings_null: true, stream_typing_notifications: true }
const UNKNOWN = {
  full_name: 'Unknown user',
  role: 400,
  is_active: true,
  is_bot: false,
  delivery_email: null,
  date_joined: '1970-01-01T00:00:00+00:00',
}

/** What guests see in an organization with restricted visibility. */
export const guestVisibilityTests = (system: () => TestSystem): void => {
  describe('a guest in an organization with restricted visibility', () => {
    let owner: ApiClient
    let guest: ApiClient
    let member: ApiClient
    let queues: EventQueue[] = []
    beforeAll(async () => {
      owner = system().owner
      await setGuestVisibility(system(), 'limited')
    })
    afterAll(() => setGuestVisibility(system(), 'unlimited'), 60_000)
    beforeEach(async () => {
      guest = await newGuestWithoutChannels(system())
      ;[member] = await newUsers(system(), 1)
    })
    afterEach(async () => {
      await Promise.all(queues.map((queue) => queue.stop()))
      queues = []
    })
    const follow = async (client: ApiClient, capabilities = {}): Promise<EventQueue> => {
      const client_capabilities = { ...CAPABILITIES, ...capabilities }
      const queue = await registerQueue(client, { client_capabilities })
      queues.push(queue)
      return queue.follow()
    }
    const isAbout = ({ type, op, person }: ClientEvent, of: string, { userId }: ApiClient): boolean =>
      type === 'realm_user' && op === of && (person as { user_id: number }).user_id === userId
    const waitForUserEvent = (queue: EventQueue, op: string, user: ApiClient): Promise<ClientEvent> =>
      queue.waitFor((event) => isAbout(event, op, user), `${op} of ${user.userId}`)
    const listedBy = async (viewer: ApiClient, { userId }: ApiClient) =>
      (await viewer.call(listUsers, { include_custom_profile_fields: true })).members.find(
        ({ user_id }) => user_id === userId,
      )
    const registered = ({ state }: EventQueue, { userId }: ApiClient) =>
      (state['realm_users'] as { user_id: number }[]).find(({ user_id }) => user_id === userId)
    const put = (users: readonly ApiClient[], name: string) =>
      owner.call(subscribe, { subscriptions: [{ name }], principals: users.map(({ userId }) => userId) })
    const remove = (users: readonly ApiClient[], name: string) =>
      owner.call(unsubscribe, { subscriptions: [name], principals: users.map(({ userId }) => userId) })
    const together = async (isPrivate = false) => createChannel(owner, { others: [guest, member], isPrivate })

    test('does not see users without a shared channel or conversation, while everyone else does', async () => {
      const record = await listedBy(guest, member)

      expect(record).toMatchObject({ ...UNKNOWN, profile_data: {} })
      expect(record?.email).toMatch(new RegExp(`^user${member.userId}@`))
      expect(await guest.send(getUser, { user_id: member.userId })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await guest.send(getUserByEmail, { email: member.email })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await listedBy(member, guest)).toMatchObject({ role: Role.guest })
      expect(await canSee(guest, guest)).toBe(true)
      expect(await canSee(guest, await newBotOf(member))).toBe(true)
    })

    test('registers with unknown users, or without, as the client requests', async () => {
      const [complete, incomplete] = [
        await follow(guest),
        await follow(guest, { user_list_incomplete: true }),
      ]

      expect(registered(complete, member)).toMatchObject({ full_name: 'Unknown user', role: 400 })
      expect(registered(incomplete, member)).toBeUndefined()
      expect(registered(incomplete, guest)).toBeDefined()
    })

    test('sees new users as unknown users, or not at all, as the client requests', async () => {
      const [complete, incomplete] = [
        await follow(guest),
        await follow(guest, { user_list_incomplete: true }),
      ]

      const [newMember] = await newUsers(system(), 1)
      const bot = await newBotOf(newMember)

      expect(await waitForUserEvent(complete, 'add', newMember)).toMatchObject({ person: UNKNOWN })
      await waitForUserEvent(incomplete, 'add', bot)
      expect(incomplete.events.some((event) => isAbout(event, 'add', newMember))).toBe(false)
    })

    test.each<[string, boolean, () => Promise<unknown>]>([
      ['a public channel', true, () => together()],
      ['a private channel', true, () => together(true)],
      ['a message of theirs', true, () => sendDirectly(member, [guest])],
      ['a message to a group', true, () => sendDirectly(owner, [guest, member])],
      [
        'a channel of two that they shared',
        true,
        async () => {
          const { name } = await together()
          await together()
          await remove([member], name)
        },
      ],
      ['a channel that the other left', false, async () => remove([member], (await together()).name)],
      ['a channel that the guest left', false, async () => remove([guest], (await together()).name)],
      ['a channel that both left', false, async () => remove([guest, member], (await together()).name)],
      [
        'a channel that was archived',
        false,
        async () => owner.call(archiveChannel, { stream_id: (await together()).id }),
      ],
      ['a channel of the other’s alone', false, async () => createChannel(member)],
    ])('sharing %s: sees the other is %s', async (_, isSeen, share) => {
      await share()

      expect(await visibilityTo(guest, member)).toEqual(new Set([isSeen]))
    })

    test('sees users who become visible and no longer those who do not, once the causing call returned', async () => {
      const { name } = await createChannel(owner, { others: [guest] })

      for (let turn = 0; turn < 10; turn++) {
        await put([member], name)
        expect(await visibilityTo(guest, member)).toEqual(new Set([true]))
        await remove([member], name)
        expect(await visibilityTo(guest, member)).toEqual(new Set([false]))
      }
    })

    test('sees the sender of a direct message once the first message was sent', async () => {
      for (const someone of await newUsers(system(), 10)) {
        await sendDirectly(someone, [guest])
        expect(await visibilityTo(guest, someone)).toEqual(new Set([true]))
      }
    })

    test('sees everyone in channels that others change concurrently', async () => {
      const others = await newUsers(system(), 10)
      const { name } = await createChannel(owner, { others: [guest] })

      const seen = others.map(async (someone) => {
        await put([someone], name)
        return visibilityTo(guest, someone)
      })

      expect(await Promise.all(seen)).toEqual(others.map(() => new Set([true])))
    })

    test('receives users who become visible in full, and the removal of those who do not', async () => {
      const queue = await follow(guest)
      await owner.call(updateUser, { user_id: member.userId, full_name: `Seen ${member.userId}` })
      const { name } = await createChannel(owner, { others: [guest] })

      await put([member], name)
      const gained = await waitForUserEvent(queue, 'add', member)
      await owner.call(updateUser, { user_id: member.userId, full_name: `Renamed ${member.userId}` })
      await waitForUserEvent(queue, 'update', member)
      await remove([member], name)
      const lost = await waitForUserEvent(queue, 'remove', member)

      const { user } = await owner.call(getUser, { user_id: member.userId })
      expect(gained).toMatchObject({
        person: { email: user.email, full_name: `Seen ${member.userId}`, is_active: true },
      })
      expect(lost['person']).toEqual({ user_id: member.userId, full_name: 'Unknown user' })
    })

    test('receives nothing about invisible users', async () => {
      const queue = await follow(guest)
      const seen = member
      const [unseen] = await newUsers(system(), 1)
      await sendDirectly(seen, [guest])
      await waitForUserEvent(queue, 'add', seen)
      const before = queue.events.length

      for (const { userId: user_id } of [unseen, seen]) {
        await owner.call(updateUser, { user_id, full_name: `Somebody ${user_id}` })
      }
      for (const someone of [unseen, seen]) {
        await someone.call(updatePresence, { status: 'active' })
        await someone.call(updateStatus, { status_text: 'busy' })
      }
      await queue.waitFor(({ type, user_id }) => type === 'user_status' && user_id === seen.userId)

      const events = JSON.stringify(queue.events.slice(before).filter(({ type }) => type !== 'user_group'))
      expect(events).toContain(`Somebody ${seen.userId}`)
      expect(events).not.toContain(`:${unseen.userId}`)
    })

    test('cannot request anything about invisible users', async () => {
      const user_id = member.userId
      await member.call(updateStatus, { status_text: 'busy' })
      await member.call(updatePresence, { status: 'active' })

      const requests = [
        guest.send(getStatus, { user_id }),
        guest.send(getUserPresence, { user_id_or_email: String(user_id) }),
        guest.send(muteUser, { muted_user_id: user_id }),
        guest.send(sendMessage, { type: 'direct', to: [user_id], content: 'hello' }),
        guest.send(sendMessage, { type: 'direct', to: [member.email], content: 'hello' }),
        guest.send(setTypingStatus, { op: 'start', to: [user_id] }),
      ]
      const { presences } = await guest.call(getRealmPresence, {})
      const { state } = await follow(guest)

      for (const answer of await Promise.all(requests)) expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(presences).not.toHaveProperty([member.email])
      expect(state['presences']).not.toHaveProperty([member.email])
      expect(state['user_status']).not.toHaveProperty([String(user_id)])
      const avatar = await guest.fetch(`/avatar/${user_id}`)
      const asSeen = await member.fetch(`/avatar/${user_id}`)
      expect(avatar.status).toBe(302)
      expect(avatar.headers.get('location')).not.toBe(asSeen.headers.get('location'))
    })

    test('gets the same response about invisible users as about unknown ones', async () => {
      const { userId: id, email } = member
      const [noId, noEmail] = [999_999_999, 'nobody@example.com']
      const asOfNobody = ({ status, text }: Answer) => ({
        status,
        text: text.replaceAll(email, noEmail).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), String(noId)),
      })
      const find = (operator: string, operand: string | number | number[], negated = false) => {
        const narrow = [{ operator, operand, negated }]
        return guest.send(getMessages, { anchor: 'newest', num_before: 1, num_after: 0, narrow })
      }
      const request = (user: number, address: string) =>
        Promise.all([
          find('sender', address),
          find('sender', address, true),
          find('dm', [user]),
          find('dm', [user, guest.userId], true),
          find('dm', address),
          find('dm', `${guest.email},${address}`),
          find('dm-including', user),
          find('dm-including', address),
          find('group-pm-with', user),
          find('pm-with', address),
          guest.send(createDrafts, {
            drafts: [{ type: 'private', to: [user], topic: '', content: 'x', timestamp: 7 }],
          }),
          guest.send(unsubscribe, { subscriptions: ['announcements'], principals: [user] }),
          guest.send(unsubscribe, { subscriptions: ['announcements'], principals: [address] }),
          guest.send(sendMessage, { type: 'direct', to: [address], content: 'x' }),
        ])

      const [ofMember, ofNobody] = [await request(id, email), await request(noId, noEmail)]

      for (const answer of ofNobody) expect(answer).toMatchObject({ status: 400 })
      expect(ofMember.map(asOfNobody)).toEqual(ofNobody.map(asOfNobody))
      await sendDirectly(member, [guest])
      for (const answer of await Promise.all([find('sender', email), find('dm', [id]), find('dm', email)]))
        expect(answer).toMatchObject(success({ messages: [{ sender_id: id }] }))
    })

    test('finds messages of an invisible user by the ID that they show', async () => {
      const { name } = await createChannel(owner, { others: [guest] })
      const message = await sendToChannel(member, name, 'from outside')

      const narrow = [{ operator: 'sender', operand: member.userId }]
      const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow }
      const { messages } = await guest.call(getMessages, page)

      expect(messages).toMatchObject([{ id: message, sender_full_name: 'Unknown user' }])
    })

    test('sees an unknown user where an invisible one writes or reacts', async () => {
      const { name } = await createChannel(owner, { others: [guest] })
      const queue = await follow(guest)

      const id = await sendToChannel(member, name, 'from outside')
      await member.call(addReaction, { message_id: id, emoji_name: 'tada' })

      const event = await queue.waitFor(({ type }) => type === 'message')
      const reaction = await queue.waitFor(({ type }) => type === 'reaction')
      const { messages } = await guest.call(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 })
      const shown = { sender_id: member.userId, sender_full_name: 'Unknown user' }
      expect(event['message']).toMatchObject(shown)
      expect(reaction).toMatchObject({ user_id: member.userId, user: { full_name: 'Unknown user' } })
      expect(messages).toMatchObject([{ id, ...shown, reactions: [{ user_id: member.userId }] }])
      expect(JSON.stringify([event, reaction, messages])).not.toContain(member.email)
      const { messages: others } = await owner.call(getMessages, {
        anchor: String(id),
        num_before: 0,
        num_after: 0,
      })
      expect(others).toMatchObject([{ sender_email: member.email }])
    })

    test('can mention only visible users', async () => {
      const { user } = await owner.call(getUser, { user_id: member.userId })
      const content = `@**${user.full_name}|${member.userId}**`
      const rendered = async () => (await guest.call(renderMessage, { content })).rendered

      expect(await rendered()).not.toContain('user-mention')
      await sendDirectly(member, [guest])

      expect(await rendered()).toContain('user-mention')
    })

    test('sees typing only of visible users', async () => {
      const queue = await follow(guest)
      const type = () => member.call(setTypingStatus, { op: 'start', to: [guest.userId] })

      await type()
      await sendDirectly(member, [guest])
      await queue.waitFor(({ type: kind }) => kind === 'message')
      const receivedBefore = queue.events.some(({ type: kind }) => kind === 'typing')
      await type()

      await queue.waitFor(({ type: kind }) => kind === 'typing')
      expect(receivedBefore).toBe(false)
    })

    test('no longer sees a user who leaves the last two shared channels at once', async () => {
      for (let turn = 0; turn < 5; turn++) {
        const [{ name: one }, { name: other }] = [await together(), await together()]
        expect(await visibilityTo(guest, member)).toEqual(new Set([true]))

        await Promise.all([remove([member], one), remove([turn % 2 === 0 ? member : guest], other)])

        expect(await visibilityTo(guest, member)).toEqual(new Set([false]))
      }
    })

    test('sees everyone as a member after registering again, and fewer as a guest', async () => {
      const queue = await follow(guest)

      await owner.call(updateUser, { user_id: guest.userId, role: Role.member })
      expect(await visibilityTo(guest, member)).toEqual(new Set([true]))
      await expect(queue.until(() => false, 'the end')).rejects.toThrow(/BAD_EVENT_QUEUE_ID/)
      const asMember = await follow(guest)
      expect(registered(asMember, member)).not.toMatchObject({ full_name: 'Unknown user' })
      await sendDirectly(owner, [guest])
      await owner.call(updateUser, { user_id: guest.userId, role: Role.guest })

      expect(await visibilityTo(guest, owner)).toEqual(new Set([true]))
      expect(await visibilityTo(guest, member)).toEqual(new Set([false]))
      await expect(asMember.until(() => false, 'the end')).rejects.toThrow(/BAD_EVENT_QUEUE_ID/)
    })
  })

  describe('PATCH /realm can_access_all_users_group', () => {
    test('ends only the queues of guests', async () => {
      const { owner } = system()
      const guest = await newGuestWithoutChannels(system())
      const [ofGuest, ofOwner] = [
        (await registerQueue(guest)).follow(),
        (await registerQueue(owner)).follow(),
      ]
      const ended = (queue: EventQueue) =>
        expect(queue.until(() => false, 'the end')).rejects.toThrow(/BAD_EVENT_QUEUE_ID/)

      await setGuestVisibility(system(), 'limited')
      await ended(ofGuest)
      const limited = (await registerQueue(guest)).follow()
      await setGuestVisibility(system(), 'unlimited')
      await ended(limited)

      const unlimited = await registerQueue(guest)
      expect(JSON.stringify(unlimited.state['realm_users'])).not.toContain('Unknown user')
      const { stream_id } = await owner.call(endpoints.messaging.getChannelId, { stream: 'announcements' })
      await owner.call(endpoints.messaging.updateChannel, { stream_id, description: 'still delivered' })
      await ofOwner.waitFor(({ type, op }) => type === 'stream' && op === 'update')
      await ofOwner.stop()
    })

    test('names the groups that it accepts', async () => {
      const answer = await system().owner.request('PATCH', '/realm', [['can_access_all_users_group', '1']])

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(answer.body['msg']).toMatch(/role:everyone.*role:members/)
    })
  })
}
