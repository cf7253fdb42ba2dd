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
import { letGuestsSee, newLonelyGuest, seenIn, sees } from '../support/guests.ts'
import { createChannel, newUsers, say, whisper } from '../support/people.ts'

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

/** What guests see of an organization that limits it. */
export const guestVisibilityTests = (system: () => TestSystem): void => {
  describe('a guest of an organization that limits their sight', () => {
    let owner: ApiClient
    let guest: ApiClient
    let member: ApiClient
    let queues: EventQueue[] = []
    beforeAll(async () => {
      owner = system().owner
      await letGuestsSee(system(), 'limited')
    }, 60_000)
    afterAll(() => letGuestsSee(system(), 'unlimited'), 60_000)
    beforeEach(async () => {
      guest = await newLonelyGuest(system())
      ;[member] = (await newUsers(system(), 1)) as [ApiClient]
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
    const told = (queue: EventQueue, op: string, user: ApiClient): Promise<ClientEvent> =>
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

    test('does not see who shares nothing with them, while everyone else does', async () => {
      const record = await listedBy(guest, member)

      expect(record).toMatchObject({ ...UNKNOWN, profile_data: {} })
      expect(record?.email).toMatch(new RegExp(`^user${member.userId}@`))
      expect(await guest.send(getUser, { user_id: member.userId })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await guest.send(getUserByEmail, { email: member.email })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await listedBy(member, guest)).toMatchObject({ role: Role.guest })
      expect(await sees(guest, guest)).toBe(true)
      expect(await sees(guest, await newBotOf(member))).toBe(true)
    })

    test('registers with unknown users, or without, as the client asks', async () => {
      const [complete, incomplete] = [
        await follow(guest),
        await follow(guest, { user_list_incomplete: true }),
      ]

      expect(registered(complete, member)).toMatchObject({ full_name: 'Unknown user', role: 400 })
      expect(registered(incomplete, member)).toBeUndefined()
      expect(registered(incomplete, guest)).toBeDefined()
    })

    test('learns of newcomers as unknown users, or not at all, as the client asks', async () => {
      const [complete, incomplete] = [
        await follow(guest),
        await follow(guest, { user_list_incomplete: true }),
      ]

      const [newcomer] = (await newUsers(system(), 1)) as [ApiClient]
      const bot = await newBotOf(newcomer)

      expect(await told(complete, 'add', newcomer)).toMatchObject({ person: UNKNOWN })
      await told(incomplete, 'add', bot)
      expect(incomplete.events.some((event) => isAbout(event, 'add', newcomer))).toBe(false)
    })

    test.each<[string, boolean, () => Promise<unknown>]>([
      ['a public channel', true, () => together()],
      ['a private channel', true, () => together(true)],
      ['a message of theirs', true, () => whisper(member, [guest])],
      ['a message to a group', true, () => whisper(owner, [guest, member])],
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

      expect(await seenIn(guest, member)).toEqual(new Set([isSeen]))
    })

    test('sees who comes into sight, and no longer who goes, by the answer to what changes that', async () => {
      const { name } = await createChannel(owner, { others: [guest] })

      for (let turn = 0; turn < 10; turn++) {
        await put([member], name)
        expect(await seenIn(guest, member)).toEqual(new Set([true]))
        await remove([member], name)
        expect(await seenIn(guest, member)).toEqual(new Set([false]))
      }
    })

    test('sees who writes to them by the answer to the first message', async () => {
      for (const someone of await newUsers(system(), 10)) {
        await whisper(someone, [guest])
        expect(await seenIn(guest, someone)).toEqual(new Set([true]))
      }
    })

    test('sees everyone in channels that others change at the same time', async () => {
      const others = await newUsers(system(), 10)
      const { name } = await createChannel(owner, { others: [guest] })

      const seen = others.map(async (someone) => {
        await put([someone], name)
        return seenIn(guest, someone)
      })

      expect(await Promise.all(seen)).toEqual(others.map(() => new Set([true])))
    })

    test('is told who comes into sight, as they are, and who goes out of it', async () => {
      const queue = await follow(guest)
      await owner.call(updateUser, { user_id: member.userId, full_name: `Seen ${member.userId}` })
      const { name } = await createChannel(owner, { others: [guest] })

      await put([member], name)
      const gained = await told(queue, 'add', member)
      await owner.call(updateUser, { user_id: member.userId, full_name: `Renamed ${member.userId}` })
      await told(queue, 'update', member)
      await remove([member], name)
      const lost = await told(queue, 'remove', member)

      const { user } = await owner.call(getUser, { user_id: member.userId })
      expect(gained).toMatchObject({
        person: { email: user.email, full_name: `Seen ${member.userId}`, is_active: true },
      })
      expect(lost['person']).toEqual({ user_id: member.userId, full_name: 'Unknown user' })
    })

    test('is told nothing of who is out of sight', async () => {
      const queue = await follow(guest)
      const seen = member
      const [unseen] = (await newUsers(system(), 1)) as [ApiClient]
      await whisper(seen, [guest])
      await told(queue, 'add', seen)
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

    test('can ask for nothing about who is out of sight', async () => {
      const user_id = member.userId
      await member.call(updateStatus, { status_text: 'busy' })
      await member.call(updatePresence, { status: 'active' })

      const asked = [
        guest.send(getStatus, { user_id }),
        guest.send(getUserPresence, { user_id_or_email: String(user_id) }),
        guest.send(muteUser, { muted_user_id: user_id }),
        guest.send(sendMessage, { type: 'direct', to: [user_id], content: 'hello' }),
        guest.send(sendMessage, { type: 'direct', to: [member.email], content: 'hello' }),
        guest.send(setTypingStatus, { op: 'start', to: [user_id] }),
      ]
      const { presences } = await guest.call(getRealmPresence, {})
      const { state } = await follow(guest)

      for (const answer of await Promise.all(asked)) expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(presences).not.toHaveProperty([member.email])
      expect(state['presences']).not.toHaveProperty([member.email])
      expect(state['user_status']).not.toHaveProperty([String(user_id)])
      const avatar = await guest.fetch(`/avatar/${user_id}`)
      const asSeen = await member.fetch(`/avatar/${user_id}`)
      expect(avatar.status).toBe(302)
      expect(avatar.headers.get('location')).not.toBe(asSeen.headers.get('location'))
    })

    test('is answered about who is out of sight as about nobody', async () => {
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
      const ask = (user: number, address: string) =>
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

      const [ofMember, ofNobody] = [await ask(id, email), await ask(noId, noEmail)]

      for (const answer of ofNobody) expect(answer).toMatchObject({ status: 400 })
      expect(ofMember.map(asOfNobody)).toEqual(ofNobody.map(asOfNobody))
      await whisper(member, [guest])
      for (const answer of await Promise.all([find('sender', email), find('dm', [id]), find('dm', email)]))
        expect(answer).toMatchObject(success({ messages: [{ sender_id: id }] }))
    })

    test('finds what someone out of sight wrote by the ID that it shows', async () => {
      const { name } = await createChannel(owner, { others: [guest] })
      const message = await say(member, name, 'from outside')

      const narrow = [{ operator: 'sender', operand: member.userId }]
      const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow }
      const { messages } = await guest.call(getMessages, page)

      expect(messages).toMatchObject([{ id: message, sender_full_name: 'Unknown user' }])
    })

    test('is shown an unknown user where someone out of sight writes or reacts', async () => {
      const { name } = await createChannel(owner, { others: [guest] })
      const queue = await follow(guest)

      const id = await say(member, name, 'from outside')
      await member.call(addReaction, { message_id: id, emoji_name: 'tada' })

      const event = await queue.waitFor(({ type }) => type === 'message')
      const reaction = await queue.waitFor(({ type }) => type === 'reaction')
      const { messages } = await guest.call(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 })
      const shown = { sender_id: member.userId, sender_full_name: 'Unknown user' }
      const reacted = [{ user_id: member.userId, user: { full_name: 'Unknown user' } }]
      expect(event['message']).toMatchObject(shown)
      expect(reaction).toMatchObject({ user_id: member.userId, user: { full_name: 'Unknown user' } })
      expect(messages).toMatchObject([{ id, ...shown, reactions: reacted }])
      expect(JSON.stringify([event, reaction, messages])).not.toContain(member.email)
      const { messages: others } = await owner.call(getMessages, {
        anchor: String(id),
        num_before: 0,
        num_after: 0,
      })
      expect(others).toMatchObject([{ sender_email: member.email }])
    })

    test('mentions only who is in sight', async () => {
      const { user } = await owner.call(getUser, { user_id: member.userId })
      const content = `@**${user.full_name}|${member.userId}**`
      const rendered = async () => (await guest.call(renderMessage, { content })).rendered

      expect(await rendered()).not.toContain('user-mention')
      await whisper(member, [guest])

      expect(await rendered()).toContain('user-mention')
    })

    test('sees who types only once they see them', async () => {
      const queue = await follow(guest)
      const type = () => member.call(setTypingStatus, { op: 'start', to: [guest.userId] })

      await type()
      await whisper(member, [guest])
      await queue.waitFor(({ type: kind }) => kind === 'message')
      const heardBefore = queue.events.some(({ type: kind }) => kind === 'typing')
      await type()

      await queue.waitFor(({ type: kind }) => kind === 'typing')
      expect(heardBefore).toBe(false)
    })

    test('no longer sees someone who leaves the two last channels that they share at once', async () => {
      for (let turn = 0; turn < 5; turn++) {
        const [{ name: one }, { name: other }] = [await together(), await together()]
        expect(await seenIn(guest, member)).toEqual(new Set([true]))

        await Promise.all([remove([member], one), remove([turn % 2 === 0 ? member : guest], other)])

        expect(await seenIn(guest, member)).toEqual(new Set([false]))
      }
    }, 60_000)

    test('sees everyone again as a member, by registering again, and few as a guest', async () => {
      const queue = await follow(guest)

      await owner.call(updateUser, { user_id: guest.userId, role: Role.member })
      expect(await seenIn(guest, member)).toEqual(new Set([true]))
      await expect(queue.until(() => false, 'the end')).rejects.toThrow(/BAD_EVENT_QUEUE_ID/)
      const asMember = await follow(guest)
      expect(registered(asMember, member)).not.toMatchObject({ full_name: 'Unknown user' })
      await whisper(owner, [guest])
      await owner.call(updateUser, { user_id: guest.userId, role: Role.guest })

      expect(await seenIn(guest, owner)).toEqual(new Set([true]))
      expect(await seenIn(guest, member)).toEqual(new Set([false]))
      await expect(asMember.until(() => false, 'the end')).rejects.toThrow(/BAD_EVENT_QUEUE_ID/)
    })
  })

  describe('PATCH /realm can_access_all_users_group', () => {
    test('ends queues of guests, and nobody else’s', async () => {
      const { owner } = system()
      const guest = await newLonelyGuest(system())
      const [ofGuest, ofOwner] = [
        (await registerQueue(guest)).follow(),
        (await registerQueue(owner)).follow(),
      ]
      const ended = (queue: EventQueue) =>
        expect(queue.until(() => false, 'the end')).rejects.toThrow(/BAD_EVENT_QUEUE_ID/)

      await letGuestsSee(system(), 'limited')
      await ended(ofGuest)
      const limited = (await registerQueue(guest)).follow()
      await letGuestsSee(system(), 'unlimited')
      await ended(limited)

      const unlimited = await registerQueue(guest)
      expect(JSON.stringify(unlimited.state['realm_users'])).not.toContain('Unknown user')
      const { stream_id } = await owner.call(endpoints.messaging.getChannelId, { stream: 'announcements' })
      await owner.call(endpoints.messaging.updateChannel, { stream_id, description: 'still told' })
      await ofOwner.waitFor(({ type, op }) => type === 'stream' && op === 'update')
      await ofOwner.stop()
    }, 60_000)

    test('says by name which groups it takes', async () => {
      const answer = await system().owner.request('PATCH', '/realm', [['can_access_all_users_group', '1']])

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(answer.body['msg']).toMatch(/role:everyone.*role:members/)
    })
  })
}
