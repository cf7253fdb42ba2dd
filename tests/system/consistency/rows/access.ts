import { endpoints, Role } from '@tms/contracts'
import { sendToChannel } from '../../support/users-and-channels.ts'
import { type At, allowedWhenOn, type ChangeRow, outcomeOf, type RowGroup, whenOn } from '../change-row.ts'
import { clientOf } from '../client-of.ts'
import type { Environment } from '../environment.ts'
import { isAuthenticated } from '../observations.ts'
import { renderedBy } from './realm-setting.ts'

const { createUser, deactivateOwnUser, deactivateUser, devFetchApiKey, fetchApiKey } = endpoints.users
const {
  createApiToken,
  listApiTokens,
  reactivateUser,
  regenerateApiKey,
  revokeApiToken,
  updateSettings,
  updateUser,
} = endpoints.users
const { editMessage, listSubscriptions, sendMessage, subscribe } = endpoints.messaging
const { updateRealm } = endpoints.realm

interface CreatedAccount {
  readonly user_id: number
  readonly full_name: string
  readonly email: string
}

/** A new account that an administrator created, and its first use. */
const creation = (
  name: string,
  isInForce: (at: At, environment: Environment, created: CreatedAccount) => Promise<boolean>,
): ChangeRow => ({
  name,
  covers: [createUser],
  prepare: async (environment) => {
    const { owner, newName } = environment
    let created: CreatedAccount = { user_id: 0, full_name: '', email: '' }
    return {
      change: async (at) => {
        const full_name = newName('Created')
        const email = `${full_name.toLowerCase().replace(' ', '-')}@example.com`
        const password = `a long password of ${full_name}`
        const { user_id } = await at(owner).call(createUser, { email, full_name, password })
        created = { user_id, full_name, email }
      },
      use: (at) => isInForce(at, environment, created),
      expected: () => true,
    }
  },
})

/** Access of users, by role, activity and credentials. */
export const access: RowGroup = {
  subject: 'roles, keys and activity of accounts',
  rows: [
    {
      name: 'a user becomes an administrator or a member, then changes the organization',
      covers: [updateUser],
      isRunByEvent: true,
      prepare: async ({ owner, createUser: newUser, newName }) => {
        const member = await newUser()
        return {
          event: {
            watcher: owner,
            type: 'realm_user',
            isOfTurn: ({ person }, { isOn }) =>
              (person as { role?: number }).role === (isOn ? Role.administrator : Role.member),
          },
          change: (at, { isOn }) =>
            at(owner).call(updateUser, {
              user_id: member.userId,
              role: isOn ? Role.administrator : Role.member,
            }),
          use: async (at) =>
            outcomeOf(await at(member).send(updateRealm, { description: newName('changed') })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a user becomes a moderator or a member, then changes a topic',
      covers: [updateUser],
      prepare: async ({ owner, createUser: newUser, createChannel, newName }) => {
        const member = await newUser()
        const message_id = await sendToChannel(owner, (await createChannel([owner, member])).name)
        await owner.call(updateRealm, { edit_topic_policy: 4 })
        return {
          change: (at, { isOn }) =>
            at(owner).call(updateUser, { user_id: member.userId, role: isOn ? Role.moderator : Role.member }),
          use: async (at) =>
            outcomeOf(await at(member).send(editMessage, { message_id, topic: newName('topic') })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a guest becomes a member or a guest again, then creates a channel',
      covers: [updateUser],
      prepare: async ({ owner, createUser: newUser, newName }) => {
        const guest = await newUser({ role: Role.guest })
        return {
          change: (at, { isOn }) =>
            at(owner).call(updateUser, { user_id: guest.userId, role: isOn ? Role.member : Role.guest }),
          use: async (at) =>
            outcomeOf(await at(guest).send(subscribe, { subscriptions: [{ name: newName('created') }] })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'an account is deactivated or reactivated, then calls',
      covers: [deactivateUser, reactivateUser],
      isRunByEvent: true,
      prepare: async ({ owner, createUser: newUser }) => {
        const member = await newUser()
        return {
          event: {
            watcher: owner,
            type: 'realm_user',
            isOfTurn: ({ person }, { isOn }) => (person as { is_active?: boolean }).is_active === !isOn,
          },
          change: (at, { isOn }) =>
            at(owner).call(isOn ? deactivateUser : reactivateUser, { user_id: member.userId }),
          use: async (at) => !(await isAuthenticated(at(member))),
          expected: whenOn,
        }
      },
    },
    {
      name: 'an account is deactivated or reactivated, then somebody writes to it',
      covers: [deactivateUser, reactivateUser],
      prepare: async ({ owner, createUser: newUser }) => {
        const [member, other] = [await newUser(), await newUser()]
        const message = { type: 'direct' as const, to: [member.userId], content: 'x' }
        return {
          change: (at, { isOn }) =>
            at(owner).call(isOn ? reactivateUser : deactivateUser, { user_id: member.userId }),
          prepareTurn: async (at, { index }) => {
            if (index === 0) await at(owner).call(deactivateUser, { user_id: member.userId })
          },
          use: async (at) => outcomeOf(await at(other).send(sendMessage, message)),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a user deactivates their own account, then calls',
      covers: [deactivateOwnUser],
      prepare: async ({ createUser: newUser }) => {
        let member = await newUser()
        return {
          prepareTurn: async (at) => {
            member = await newUser()
            await isAuthenticated(at(member))
          },
          change: (at) => at(member).call(deactivateOwnUser, {}),
          use: (at) => isAuthenticated(at(member)),
          expected: () => false,
        }
      },
    },
    {
      name: 'a key is replaced, then the old one and the new one are used',
      covers: [regenerateApiKey],
      prepare: async ({ createUser: newUser }) => {
        let newKey = await newUser()
        let current = newKey
        return {
          change: async (at) => {
            newKey = current
            const { api_key } = await at(newKey).call(regenerateApiKey, {})
            if (newKey.account) current = clientOf(newKey, { ...newKey.account, apiKey: api_key })
          },
          use: (at) => Promise.all([isAuthenticated(at(newKey)), isAuthenticated(at(current))]),
          expected: () => [false, true],
        }
      },
    },
    {
      name: 'an API token is revoked, then used',
      covers: [revokeApiToken],
      prepare: async ({ createUser: newUser }) => {
        const member = await newUser()
        let current = member
        return {
          prepareTurn: async (at) => {
            const wanted = { name: 'a token', scopes: ['read' as const] }
            const { token } = await at(member).call(createApiToken, wanted)
            if (member.account) current = clientOf(member, { ...member.account, apiKey: token })
            await isAuthenticated(at(current))
          },
          change: async (at) => {
            const { api_tokens } = await at(member).call(listApiTokens, {})
            await at(member).call(revokeApiToken, { token_id: api_tokens[0]?.id ?? 0 })
          },
          use: (at) => isAuthenticated(at(current)),
          expected: () => false,
        }
      },
    },
    {
      name: 'a password is changed, then its user signs in with it',
      covers: [updateSettings],
      prepare: async ({ createUser: newUser, newName, anonymous }) => {
        const member = await newUser()
        let old_password = `password of ${member.email}`
        return {
          change: async (at) => {
            const new_password = newName('a long new password')
            await at(member).call(updateSettings, { old_password, new_password })
            old_password = new_password
          },
          use: async (at) =>
            outcomeOf(
              await at(anonymous).send(fetchApiKey, { username: member.email, password: old_password }),
            ),
          expected: () => 'allowed',
        }
      },
    },
    creation('an account is created, then mentioned by name', async (at, { owner }, created) =>
      (await renderedBy(at(owner), `@**${created.full_name}**`)).includes(
        `data-user-id="${created.user_id}"`,
      ),
    ),
    creation('an account is created, then somebody writes to it', async (at, { owner }, created) => {
      const message = { type: 'direct' as const, to: [created.user_id], content: 'welcome' }
      return (await at(owner).send(sendMessage, message)).status === 200
    }),
    creation(
      'an account is created, then signs in and finds its default channels',
      async (at, { owner, anonymous }, { user_id, email }) => {
        const { api_key } = await at(anonymous).call(devFetchApiKey, { username: email })
        const user = at(clientOf(owner, { userId: user_id, email, apiKey: api_key }))
        return (await user.call(listSubscriptions, {})).subscriptions.length > 0
      },
    ),
  ],
}
