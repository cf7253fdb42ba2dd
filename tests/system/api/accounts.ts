import { endpoints, Role } from '@tms/contracts'
import type { Answer, ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { mailsTo, waitForMail } from '../support/mails.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'

const { createUser, deactivateOwnUser, deactivateUser, getUser, listUsers, reactivateUser, updateUser } =
  endpoints.users
const { owner: OWNER, administrator, moderator, member, guest } = Role

/** Updating, deactivating and reactivating users. */
export const accountTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  const actors = new Map<number, ApiClient>()
  beforeAll(async () => {
    owner = system().owner
    for (const role of [administrator, moderator, member, guest])
      actors.set(role, await newUserOfRole(system(), role))
    actors.set(OWNER, owner)
  })
  const actorOf = (role: number) => actors.get(role) as ApiClient
  const recordOf = async ({ userId }: ApiClient) => (await owner.call(getUser, { user_id: userId })).user
  const newPerson = (role: Role = member) => system().createUser(undefined, { role })
  const isDone = ({ status }: Answer): boolean => status === 200

  /** There are other owners only briefly: some of these tests are about the last one. */
  const demoteOtherOwners = async () => {
    const { members } = await owner.call(listUsers, {})
    for (const { user_id, role } of members)
      if (role === OWNER && user_id !== owner.userId) await owner.call(updateUser, { user_id, role: member })
  }

  describe('permissions on accounts', () => {
    afterAll(demoteOtherOwners)
    const rename = (actor: ApiClient, { userId }: ApiClient) =>
      actor.send(updateUser, { user_id: userId, full_name: `Renamed by ${actor.userId}, ${userId}` })
    const makeModerator = (actor: ApiClient, { userId }: ApiClient) =>
      actor.send(updateUser, { user_id: userId, role: moderator })
    const makeOwner = (actor: ApiClient, { userId }: ApiClient) =>
      actor.send(updateUser, { user_id: userId, role: OWNER })
    const deactivate = (actor: ApiClient, { userId }: ApiClient) =>
      actor.send(deactivateUser, { user_id: userId })
    const reactivate = (actor: ApiClient, { userId }: ApiClient) =>
      actor.send(reactivateUser, { user_id: userId })

    test.each([
      // by an owner, an administrator, a moderator, a member, a guest
      ['rename a member', rename, member, [true, true, false, false, false]],
      ['rename an owner', rename, OWNER, [true, true, false, false, false]],
      ['give a member another role', makeModerator, member, [true, true, false, false, false]],
      ['give an owner another role', makeModerator, OWNER, [true, false, false, false, false]],
      ['make a member an owner', makeOwner, member, [true, false, false, false, false]],
      ['deactivate a member', deactivate, member, [true, true, false, false, false]],
      ['deactivate an owner', deactivate, OWNER, [true, false, false, false, false]],
      ['reactivate a member', reactivate, member, [true, true, false, false, false]],
      ['reactivate an owner', reactivate, OWNER, [true, true, false, false, false]],
    ] as const)('%s', async (_, act, role, expected) => {
      const answers: Answer[] = []
      for (const actorRole of [OWNER, administrator, moderator, member, guest]) {
        answers.push(await act(actorOf(actorRole), await newPerson(role)))
      }

      expect(answers.map(isDone)).toEqual(expected)
      for (const answer of answers) if (!isDone(answer)) expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('the owner of a bot may rename it, and nothing else', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const bot = await newBotOf(ann)
      const user_id = bot.userId

      expect(await ann.send(updateUser, { user_id, full_name: 'A Bot Renamed' })).toMatchObject(success())
      expect((await recordOf(bot)).full_name).toBe('A Bot Renamed')
      for (const answer of [
        await ann.send(updateUser, { user_id, role: moderator }),
        await ben.send(updateUser, { user_id, full_name: 'Not Yours' }),
        await owner.send(deactivateUser, { user_id }),
      ])
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('the system bot cannot be changed', async () => {
      const { cross_realm_bots } = (await owner.call(endpoints.events.register, {
        fetch_event_types: ['realm_user'],
      })) as unknown as { cross_realm_bots: { user_id: number }[] }

      for (const { user_id } of cross_realm_bots) {
        expect(await owner.send(updateUser, { user_id, full_name: 'Mine' })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
        expect(await owner.send(deactivateUser, { user_id })).toMatchObject(refusal('BAD_REQUEST'))
      }
      expect(cross_realm_bots.length).toBeGreaterThan(0)
    })
  })

  describe('PATCH /users/{user_id}', () => {
    test('changes name and role', async () => {
      const person = await newPerson()
      const change = { full_name: ' Somebody Else ', role: administrator }

      expect(await owner.send(updateUser, { user_id: person.userId, ...change })).toMatchObject(success())

      expect(await recordOf(person)).toMatchObject({
        full_name: 'Somebody Else',
        role: administrator,
        is_admin: true,
      })
    })

    test.each<[string, { full_name?: string; role?: Role }, Role]>([
      ['a bad name with a good role', { full_name: 'x', role: moderator }, member],
      ['a good name with a bad role', { full_name: 'A Good Name', role: administrator }, guest],
    ])('changes neither for %s', async (_, change, role) => {
      const person = await newPerson(role)
      const before = await recordOf(person)

      const answer = await owner.send(updateUser, { user_id: person.userId, ...change })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await recordOf(person)).toEqual(before)
    })

    test('rejects an unknown role, and a guest in place of an administrator', async () => {
      const person = await newPerson(guest)
      for (const role of ['500', '0', '"200"', 'null', '100.5', '100', '200'])
        expect(await owner.request('PATCH', `/users/${person.userId}`, [['role', role]])).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      expect(await owner.send(updateUser, { user_id: person.userId, role: moderator })).toMatchObject(
        success(),
      )
    })

    test('ignores a blank name and an unchanged role', async () => {
      const person = await newPerson()
      const before = await recordOf(person)

      const answer = await owner.send(updateUser, { user_id: person.userId, full_name: ' ', role: member })

      expect(answer).toMatchObject(success())
      expect(await recordOf(person)).toEqual(before)
    })

    test('keeps the role of the only owner', async () => {
      for (const answer of [
        await owner.send(updateUser, { user_id: owner.userId, role: administrator }),
        await owner.send(deactivateUser, { user_id: owner.userId }),
      ])
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('keeps one of two owners who demote each other', async () => {
      const second = await newPerson()
      for (let round = 0; round < 20; round++) {
        await owner.call(updateUser, { user_id: second.userId, role: OWNER })
        const unmake = (actor: ApiClient, target: ApiClient) =>
          actor.send(updateUser, { user_id: target.userId, role: administrator })

        const answers = await Promise.all([unmake(owner, second), unmake(second, owner)])

        expect(answers.filter(isDone)).toHaveLength(1)
        const last = isDone(answers[0] as Answer) ? owner : second
        await last.call(updateUser, { user_id: owner.userId, role: OWNER })
        await owner.call(updateUser, { user_id: second.userId, role: member })
      }
    })

    test('gives a bot no more power than its owner, and reduces it with the owner', async () => {
      const [ann] = await newUsers(system(), 1)
      const bot = await newBotOf(ann)
      const setRole = ({ userId }: ApiClient, role: Role) => owner.send(updateUser, { user_id: userId, role })

      expect(await setRole(bot, administrator)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await setRole(ann, administrator)).toMatchObject(success())
      expect(await setRole(bot, administrator)).toMatchObject(success())
      expect(await setRole(ann, member)).toMatchObject(success())

      expect((await recordOf(bot)).role).toBe(member)
    })

    test('uses the current role of the caller', async () => {
      const admin = await newPerson(administrator)
      const person = await newPerson()
      expect(await admin.send(updateUser, { user_id: person.userId, role: moderator })).toMatchObject(
        success(),
      )
      await owner.call(updateUser, { user_id: admin.userId, role: member })

      expect(await admin.send(updateUser, { user_id: person.userId, role: member })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('unique names', () => {
    const demand = (require_unique_names: boolean) =>
      owner.call(endpoints.realm.updateRealm, { require_unique_names })
    afterEach(() => demand(false))

    test('go to one of several users who request the same name, and count deactivated users', async () => {
      const members = await Promise.all(Array.from({ length: 6 }, () => newPerson()))
      const [deactivated, ...others] = members as [ApiClient, ...ApiClient[]]
      await owner.call(updateUser, { user_id: deactivated.userId, full_name: 'Zoë Unique' })
      await owner.call(deactivateUser, { user_id: deactivated.userId })
      await demand(true)
      const rename = (person: ApiClient, full_name: string) =>
        owner.send(updateUser, { user_id: person.userId, full_name })
      for (const spelling of ['ZOE\u0308 unique', 'zo\u00eb UNIQUE'])
        expect(await rename(others[0] as ApiClient, spelling)).toMatchObject(refusal('BAD_REQUEST'))

      const answers = await Promise.all(
        others.map((person, at) => rename(person, at % 2 === 0 ? 'Wanted Name' : 'WANTED name')),
      )

      expect(answers.filter(isDone)).toHaveLength(1)
      const account = { email: 'unique@example.com', password: 'a password of the second' }
      expect(await owner.send(createUser, { ...account, full_name: 'wanted NAME' })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('DELETE /users/{user_id}', () => {
    test('deactivates a user, whose record remains and who cannot sign in', async () => {
      const person = await newPerson()

      expect(await owner.send(deactivateUser, { user_id: person.userId })).toMatchObject(success())

      const { members } = await owner.call(listUsers, {})
      expect(members.find(({ user_id }) => user_id === person.userId)).toMatchObject({ is_active: false })
      const key = { username: person.email, password: 'any' }
      expect(await system().anonymous.send(endpoints.users.fetchApiKey, key)).toMatchObject(
        refusal('USER_DEACTIVATED', {}, 401),
      )
      const state = await owner.call(endpoints.events.register, { fetch_event_types: ['realm_user'] })
      const idsIn = (list: string) => (state[list] as { user_id: number }[]).map(({ user_id }) => user_id)
      expect(idsIn('realm_users')).not.toContain(person.userId)
      expect(idsIn('realm_non_active_users')).toContain(person.userId)
      expect(await person.send(endpoints.events.register, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    })

    test('fails the second time, and for an unknown user', async () => {
      const { userId: user_id } = await newPerson()
      await owner.call(deactivateUser, { user_id })

      for (const id of [user_id, 999_999, 9_007_199_254_740_991])
        expect(await owner.send(deactivateUser, { user_id: id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('deactivates the bots of the user', async () => {
      const person = await newPerson()
      const bot = await newBotOf(person)

      await owner.call(deactivateUser, { user_id: person.userId })

      expect(await recordOf(bot)).toMatchObject({ is_active: false, bot_owner_id: person.userId })
    })

    test.each([
      ['with a comment', 'So long, <b>and</b> thanks', 'So long, <b>and</b> thanks'],
      ['without a comment', '', null],
    ])('sends the user a mail %s', async (_, comment, commentText) => {
      const person = await newPerson()

      await owner.call(deactivateUser, {
        user_id: person.userId,
        deactivation_notification_comment: comment,
      })

      const { text = '' } = await waitForMail(system(), person.email, 'deactivated')
      if (commentText !== null) expect(text).toContain(commentText)
      else expect(text).not.toContain('message')
    })

    test('sends no mail unless requested, and none if it fails', async () => {
      const [quiet, kept, commentText] = [await newPerson(), await newPerson(), await newPerson()]
      const comment = { deactivation_notification_comment: 'x'.repeat(2_001) }
      await owner.call(deactivateUser, { user_id: quiet.userId })
      expect(await owner.send(deactivateUser, { user_id: kept.userId, ...comment })).toMatchObject(
        refusal('BAD_REQUEST'),
      )

      await owner.call(deactivateUser, {
        user_id: commentText.userId,
        deactivation_notification_comment: 'x'.repeat(2_000),
      })

      await waitForMail(system(), commentText.email, 'deactivated')
      expect(await mailsTo(system(), quiet.email)).toEqual([])
      expect(await mailsTo(system(), kept.email)).toEqual([])
    })
  })

  describe('DELETE /users/me', () => {
    test('deactivates the caller', async () => {
      const person = await newPerson(guest)

      expect(await person.send(deactivateOwnUser, {})).toMatchObject(success())

      expect((await recordOf(person)).is_active).toBe(false)
    })

    test('rejects the last owner', async () => {
      expect(await owner.send(deactivateOwnUser, {})).toMatchObject(
        refusal('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: true, entity: 'organization owner' }),
      )
    })

    test('rejects bots', async () => {
      const bot = await newBotOf(owner)

      expect(await bot.send(deactivateOwnUser, {})).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('POST /users/{user_id}/reactivate', () => {
    test('reactivates a user with the previous role and key', async () => {
      const person = await newPerson(moderator)
      const user_id = person.userId
      await owner.call(deactivateUser, { user_id })

      expect(await owner.send(reactivateUser, { user_id })).toMatchObject(success())
      expect(await owner.send(reactivateUser, { user_id })).toMatchObject(success())

      expect(await recordOf(person)).toMatchObject({ is_active: true, role: moderator })
      expect(await person.send(endpoints.users.getOwnUser, {})).toMatchObject(success({ user_id }))
    })

    test('gives a bot whose owner is deactivated to the user who reactivates it', async () => {
      const person = await newPerson()
      const bot = await newBotOf(person)
      await owner.call(deactivateUser, { user_id: person.userId })

      await owner.call(reactivateUser, { user_id: bot.userId })

      expect(await recordOf(bot)).toMatchObject({ is_active: true, bot_owner_id: owner.userId })
    })

    test('rejects an unknown ID', async () => {
      expect(await owner.send(reactivateUser, { user_id: 999_999 })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })
}
