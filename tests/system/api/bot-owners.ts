import { beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints, Role } from '@tms/contracts'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { newUserOfRole } from '../support/people.ts'
import { until } from '../support/until.ts'

const { deactivateUser, getOwnUser, getUser, listBots, reactivateUser, updateBot } = endpoints.users

/** Bots that get another owner: who had them before has them no more. */
export const botOwnerTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let admin: ApiClient
  beforeAll(async () => {
    owner = system().owner
    admin = await newUserOfRole(system(), Role.administrator)
  })
  const newMember = () => system().createUser()
  /** The same bot, used by whoever looks up its key in their list. */
  const asListedFor = async (keeper: ApiClient, { userId, email }: ApiClient) => {
    const { bots } = await keeper.call(listBots, {})
    const apiKey = bots.find(({ user_id }) => user_id === userId)?.api_key
    return apiKey === undefined ? null : new ApiClient(system().baseUrl, { userId, email, apiKey })
  }
  const expectTakenOver = async (bot: ApiClient, keeper: ApiClient) => {
    const taken = (await asListedFor(keeper, bot)) as ApiClient
    expect(await taken.send(getOwnUser, {})).toMatchObject(success({ user_id: bot.userId }))
    await until(async () => (await bot.send(getOwnUser, {})).status === 401)
  }

  test('one that is given away has another key', async () => {
    const [ann, ben] = [await newMember(), await newMember()]
    const bot = await newBotOf(system(), ann)

    await ann.call(updateBot, { bot_user_id: bot.userId, bot_owner_id: ben.userId })

    await expectTakenOver(bot, ben)
  })

  describe('one whose owner was deactivated', () => {
    test('is reactivated with another key, which its former owner doesn’t know', async () => {
      const eve = await newMember()
      const bot = await newBotOf(system(), eve)
      await owner.call(deactivateUser, { user_id: eve.userId })

      await admin.call(reactivateUser, { user_id: bot.userId })

      await expectTakenOver(bot, admin)
    })

    test('keeps its key where its owner is back', async () => {
      const ann = await newMember()
      const bot = await newBotOf(system(), ann)
      await owner.call(deactivateUser, { user_id: ann.userId })
      await owner.call(reactivateUser, { user_id: ann.userId })

      await admin.call(reactivateUser, { user_id: bot.userId })

      expect(await asListedFor(admin, bot)).toBeNull()
      await until(async () => (await bot.send(getOwnUser, {})).status === 200)
    })

    test('is not for who has less power than it', async () => {
      const otherOwner = await newUserOfRole(system(), Role.owner)
      const bot = await newBotOf(system(), otherOwner)
      await otherOwner.call(updateBot, { bot_user_id: bot.userId, role: Role.owner })
      await owner.call(deactivateUser, { user_id: otherOwner.userId })

      expect(await admin.send(reactivateUser, { user_id: bot.userId })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'A bot can not have more power than its owner' }),
      )
      const { user } = await admin.call(getUser, { user_id: bot.userId })
      expect(user).toMatchObject({ is_active: false, bot_owner_id: otherOwner.userId })
      expect(await asListedFor(admin, bot)).toBeNull()
      expect(await owner.send(reactivateUser, { user_id: bot.userId })).toMatchObject(success())
    })
  })
}
