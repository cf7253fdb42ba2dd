import { endpoints, Role, systemGroupIds } from '@tms/contracts'
import { onePixel } from '../../support/pictures.ts'
import { sendToChannel } from '../../support/users-and-channels.ts'
import { allowedWhenOn, outcomeOf, type RowGroup, refusedWhenOn } from '../change-row.ts'
import { realmSettingRow, renderedBy } from './realm-setting.ts'

const { deleteOwnAvatar, getUser, updateSettings, updateUser, updateUserByEmail, uploadOwnAvatar } =
  endpoints.users
const { getMessage } = endpoints.messaging

/** Names and pictures of users, and their visibility. */
export const names: RowGroup = {
  subject: 'names, pictures, addresses and guests',
  rows: [
    {
      name: 'a user changes their name, then is mentioned by it',
      covers: [updateSettings],
      isRunByEvent: true,
      prepare: async ({ createUser, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        let full_name = ''
        return {
          event: {
            watcher: other,
            type: 'realm_user',
            isOfTurn: ({ person }) => (person as { full_name?: string }).full_name === full_name,
          },
          change: (at) => {
            full_name = newName('Renamed')
            return at(member).call(updateSettings, { full_name })
          },
          use: async (at) =>
            (await renderedBy(at(other), `@**${full_name}**`)).includes(`data-user-id="${member.userId}"`),
          expected: () => true,
        }
      },
    },
    {
      name: 'an administrator changes a name, then a message of that user is read',
      covers: [updateUser],
      prepare: async ({ owner, createUser, createChannel, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        const message_id = await sendToChannel(member, (await createChannel([member, other])).name)
        const name = newName('Called')
        return {
          change: (at, { index }) =>
            at(owner).call(updateUser, { user_id: member.userId, full_name: `${name} ${index}` }),
          use: async (at) => (await at(other).call(getMessage, { message_id })).message.sender_full_name,
          expected: ({ index }) => `${name} ${index}`,
        }
      },
    },
    {
      name: 'an administrator changes a name by address, then a message of that user is read',
      covers: [updateUserByEmail],
      prepare: async ({ owner, createUser, createChannel, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        const message_id = await sendToChannel(member, (await createChannel([member, other])).name)
        const name = newName('Named')
        return {
          change: (at, { index }) =>
            at(owner).call(updateUserByEmail, { email: member.email, full_name: `${name} ${index}` }),
          use: async (at) => (await at(other).call(getMessage, { message_id })).message.sender_full_name,
          expected: ({ index }) => `${name} ${index}`,
        }
      },
    },
    {
      name: 'a user gets another picture or none, then a message of theirs is read',
      covers: [uploadOwnAvatar, deleteOwnAvatar],
      prepare: async ({ createUser, createChannel }) => {
        const [member, other] = [await createUser(), await createUser()]
        const message_id = await sendToChannel(member, (await createChannel([member, other])).name)
        const path = uploadOwnAvatar.prefix + uploadOwnAvatar.path
        return {
          change: async (at, { isOn }) => {
            if (!isOn) return at(member).call(deleteOwnAvatar, {})
            const answer = await at(member).uploadTo(path, { name: 'me.png', content: onePixel })
            if (answer.status !== 200) throw new Error(`the picture was refused: ${answer.text}`)
          },
          use: async (at) => {
            const { message } = await at(other).call(getMessage, { message_id, ...NO_GRAVATAR })
            const { user } = await other.call(getUser, { user_id: member.userId, ...NO_GRAVATAR })
            return message.avatar_url === user.avatar_url ? 'the same' : message.avatar_url
          },
          expected: () => 'the same',
        }
      },
    },
    {
      name: 'a user hides their address, then a message of theirs is read',
      covers: [updateSettings],
      prepare: async ({ createUser, createChannel }) => {
        const [member, other] = [await createUser(), await createUser()]
        const message_id = await sendToChannel(member, (await createChannel([member, other])).name)
        return {
          change: (at, { isOn }) =>
            at(member).call(updateSettings, { email_address_visibility: isOn ? 5 : 1 }),
          use: async (at) => {
            const { message } = await at(other).call(getMessage, { message_id })
            const { user } = await other.call(getUser, { user_id: member.userId })
            return message.sender_email === user.email ? 'the same' : message.sender_email
          },
          expected: () => 'the same',
        }
      },
    },
    realmSettingRow({
      name: 'guest visibility is restricted, then a guest requests another user',
      on: { can_access_all_users_group: systemGroupIds['role:members'] },
      off: { can_access_all_users_group: systemGroupIds['role:everyone'] },
      prepare: async (environment) => {
        const { guest, otherUser } = await createGuestAndOtherUser(environment)
        return {
          use: async (at) => outcomeOf(await at(guest).send(getUser, { user_id: otherUser.userId })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'guest visibility is restricted, then a guest writes to another user',
      on: { can_access_all_users_group: systemGroupIds['role:members'] },
      off: { can_access_all_users_group: systemGroupIds['role:everyone'] },
      prepare: async (environment) => {
        const { guest, otherUser } = await createGuestAndOtherUser(environment)
        return {
          use: async (at) =>
            (await renderedBy(at(guest), `@**|${otherUser.userId}**`)).includes('user-mention')
              ? 'allowed'
              : 'refused',
          expected: refusedWhenOn,
        }
      },
    }),
    {
      name: 'a guest comes into a channel or leaves it, then asks for somebody there',
      covers: [endpoints.messaging.subscribe, endpoints.messaging.unsubscribe],
      prepare: async (environment) => {
        const { owner, createChannel } = environment
        const { guest, otherUser } = await createGuestAndOtherUser(environment)
        const { name } = await createChannel([otherUser])
        await owner.call(endpoints.realm.updateRealm, {
          can_access_all_users_group: systemGroupIds['role:members'],
        })
        return {
          change: (at, { isOn }) =>
            isOn
              ? at(owner).call(endpoints.messaging.subscribe, {
                  subscriptions: [{ name }],
                  principals: [guest.userId],
                })
              : at(owner).call(endpoints.messaging.unsubscribe, {
                  subscriptions: [name],
                  principals: [guest.userId],
                }),
          use: async (at) => outcomeOf(await at(guest).send(getUser, { user_id: otherUser.userId })),
          expected: allowedWhenOn,
        }
      },
    },
  ],
}

const NO_GRAVATAR = { client_gravatar: false }

const createGuestAndOtherUser = async ({
  createUser,
}: Parameters<(typeof names.rows)[number]['prepare']>[0]) => {
  const [guest, otherUser] = [await createUser({ role: Role.guest }), await createUser()]
  const { subscriptions } = await guest.call(endpoints.messaging.listSubscriptions, {})
  await guest.call(endpoints.messaging.unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  return { guest, otherUser }
}
