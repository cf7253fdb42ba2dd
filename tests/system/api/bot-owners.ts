import { endpoints, limits, Role } from '@tms/contracts'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { newUserOfRole } from '../support/users-and-channels.ts'

const { createBot, deactivateBot, deactivateUser, getOwnUser, getUser } = endpoints.users
const { listBots, reactivateUser, updateBot, updateUser } = endpoints.users

/** Owners of bots: a previous owner loses the bot, and nobody has too many. */
export const botOwnerTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let admin: ApiClient
  beforeAll(async () => {
    owner = system().owner
    admin = await newUserOfRole(system(), Role.administrator)
  })
  const newMember = () => system().createUser()
  /** The same bot, by the key in this user's list. */
  const asListedFor = async (keeper: ApiClient, { userId, email }: ApiClient) => {
    const { bots } = await keeper.call(listBots, {})
    const apiKey = bots.find(({ user_id }) => user_id === userId)?.api_key
    return apiKey === undefined ? null : new ApiClient(system().baseUrl, { userId, email, apiKey })
  }
  const expectNewKey = async (bot: ApiClient, keeper: ApiClient) => {
    const reassignedBot = (await asListedFor(keeper, bot)) as ApiClient
    expect(await reassignedBot.send(getOwnUser, {})).toMatchObject(success({ user_id: bot.userId }))
    expect(await bot.send(getOwnUser, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
  }

  test('a bot with a new owner has a new key', async () => {
    const [ann, ben] = [await newMember(), await newMember()]
    const bot = await newBotOf(ann)

    await ann.call(updateBot, { bot_user_id: bot.userId, bot_owner_id: ben.userId })

    await expectNewKey(bot, ben)
  })

  describe('a bot whose owner was deactivated', () => {
    test('is reactivated with a new key, which the previous owner does not know', async () => {
      const eve = await newMember()
      const bot = await newBotOf(eve)
      await owner.call(deactivateUser, { user_id: eve.userId })

      await admin.call(reactivateUser, { user_id: bot.userId })

      await expectNewKey(bot, admin)
    })

    test('keeps its key if its owner is active again', async () => {
      const ann = await newMember()
      const bot = await newBotOf(ann)
      await owner.call(deactivateUser, { user_id: ann.userId })
      await owner.call(reactivateUser, { user_id: ann.userId })

      await admin.call(reactivateUser, { user_id: bot.userId })

      expect(await asListedFor(admin, bot)).toBeNull()
      expect(await bot.send(getOwnUser, {})).toMatchObject(success())
    })

    test('cannot be reactivated by a user with less power than the bot', async () => {
      const otherOwner = await newUserOfRole(system(), Role.owner)
      const bot = await newBotOf(otherOwner)
      await otherOwner.call(updateBot, { bot_user_id: bot.userId, role: Role.owner })
      await owner.call(deactivateUser, { user_id: otherOwner.userId })

      expect(await admin.send(reactivateUser, { user_id: bot.userId })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'A bot cannot have more power than its owner' }),
      )
      const { user } = await admin.call(getUser, { user_id: bot.userId })
      expect(user).toMatchObject({ is_active: false, bot_owner_id: otherOwner.userId })
      expect(await asListedFor(admin, bot)).toBeNull()
      expect(await owner.send(reactivateUser, { user_id: bot.userId })).toMatchObject(success())
    })
  })

  describe('a member', () => {
    const full = refusal('BAD_REQUEST', {
      msg: `A member can own at most ${limits.maxActiveBots} active bots`,
    })
    const create = (client: ApiClient, name: string) =>
      client.send(createBot, { full_name: name, short_name: name })

    test('owns a limited number of active bots, however they are acquired', async () => {
      const [ann, ben] = [await newMember(), await newMember()]
      const extraBot = await newBotOf(ann)
      for (let n = 0; n < limits.maxActiveBots - 2; n++) await create(ann, `many-${n}`)
      const foreign = await newBotOf(ben)

      // The last one that fits, of two at once
      const answers = await Promise.all([create(ann, 'many-last'), create(ann, 'many-too')])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)).toMatchObject(full)
      expect(
        await ben.send(updateBot, { bot_user_id: foreign.userId, bot_owner_id: ann.userId }),
      ).toMatchObject(full)

      // Room is made, and used
      await ann.call(deactivateBot, { bot_user_id: extraBot.userId })
      expect(await create(ann, 'many-more')).toMatchObject(success())
      expect(await ann.send(reactivateUser, { user_id: extraBot.userId })).toMatchObject(full)
      expect(await owner.send(reactivateUser, { user_id: extraBot.userId })).toMatchObject(full)

      // Administrators own any number
      await owner.call(updateUser, { user_id: ann.userId, role: Role.administrator })
      expect(await create(ann, 'many-as-administrator')).toMatchObject(success())
      expect(await owner.send(reactivateUser, { user_id: extraBot.userId })).toMatchObject(success())
    })
  })
}
