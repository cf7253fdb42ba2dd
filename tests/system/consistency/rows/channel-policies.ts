import { endpoints, systemGroupIds } from '@tms/contracts'
import { messagesOf } from '../../support/observe.ts'
import { allowedWhenOn, outcomeOf, type RowGroup, refusedWhenOn } from '../change-row.ts'
import { realmSettingRow } from './realm-setting.ts'

const { archiveChannel, getMessages, subscribe, unsubscribe } = endpoints.messaging
const { updateRealm } = endpoints.realm
const PRIVATE = { invite_only: true }
const WEB_PUBLIC = { is_web_public: true }

const creation = (
  name: string,
  on: Parameters<typeof realmSettingRow>[0]['on'],
  off: Parameters<typeof realmSettingRow>[0]['off'],
  settings: { invite_only?: boolean; is_web_public?: boolean } = {},
  expected = refusedWhenOn,
) =>
  realmSettingRow({
    name,
    on,
    off,
    prepare: async ({ createUser, newName, owner }) => {
      const creator = settings.is_web_public ? owner : await createUser()
      return {
        use: async (at) =>
          outcomeOf(
            await at(creator).send(subscribe, { subscriptions: [{ name: newName('created') }], ...settings }),
          ),
        expected,
      }
    },
  })

/** Organization policies on channels. */
export const channelPolicies: RowGroup = {
  subject: 'policies for channels',
  rows: [
    creation(
      'public channels are for moderators to create, then a member creates one',
      { can_create_public_channel_group: systemGroupIds['role:moderators'] },
      { can_create_public_channel_group: systemGroupIds['role:members'] },
    ),
    creation(
      'private channels are for moderators to create, then a member creates one',
      { can_create_private_channel_group: systemGroupIds['role:moderators'] },
      { can_create_private_channel_group: systemGroupIds['role:members'] },
      PRIVATE,
    ),
    creation(
      'the waiting period gets longer than an account is old, then its user creates a channel for full members',
      { waiting_period_threshold: 100, can_create_public_channel_group: systemGroupIds['role:fullmembers'] },
      { waiting_period_threshold: 0, can_create_public_channel_group: systemGroupIds['role:members'] },
    ),
    creation(
      'access without an account is allowed, then a channel is opened to the web',
      { enable_spectator_access: true },
      { enable_spectator_access: false },
      WEB_PUBLIC,
      allowedWhenOn,
    ),
    realmSettingRow({
      name: 'access without an account is allowed, then somebody reads without one',
      on: { enable_spectator_access: true },
      off: { enable_spectator_access: false },
      prepare: async ({ owner, anonymous, newName }) => {
        const channel = newName('town')
        await owner.call(updateRealm, { enable_spectator_access: true })
        await owner.call(subscribe, { subscriptions: [{ name: channel }], ...WEB_PUBLIC })
        await owner.call(updateRealm, { enable_spectator_access: false })
        const narrow = [
          { operator: 'channels', operand: 'web-public' },
          { operator: 'channel', operand: channel },
        ]
        const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
        return {
          use: async (at) => outcomeOf(await at(anonymous).send(getMessages, page)),
          expected: allowedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'members may not subscribe others, then one does',
      on: { invite_to_stream_policy: 4 },
      off: { invite_to_stream_policy: 1 },
      isRunByEvent: true,
      prepare: async ({ createUser, createChannel }) => {
        const [member, other] = [await createUser(), await createUser()]
        const { name } = await createChannel([member])
        const input = { subscriptions: [{ name }], principals: [other.userId] }
        return {
          prepareTurn: () => other.send(unsubscribe, { subscriptions: [name] }),
          use: async (at) => outcomeOf(await at(member).send(subscribe, input)),
          expected: refusedWhenOn,
        }
      },
    }),
    {
      name: 'new channels are announced in another channel, then one is created',
      covers: [updateRealm],
      prepare: async ({ owner, createChannel, newName }) => {
        const boards = [await createChannel([owner]), await createChannel([owner])] as const
        const boardOf = ({ isOn }: { isOn: boolean }) => boards[isOn ? 0 : 1]
        let count = 0
        return {
          change: (at, turn) =>
            at(owner).call(updateRealm, { new_stream_announcements_stream_id: boardOf(turn).id }),
          use: async (at, turn) => {
            const before = (await messagesOf(owner, boardOf(turn).name)).length
            const subscriptions = [{ name: newName(`announced ${++count}`) }]
            await at(owner).call(subscribe, { subscriptions, announce: true })
            return (await messagesOf(owner, boardOf(turn).name)).length - before
          },
          expected: () => 1,
        }
      },
    },
    {
      name: 'a channel for announcements is archived, then the settings are read',
      covers: [archiveChannel],
      prepare: async ({ owner, createChannel }) => {
        const setting = 'signup_announcements_stream_id'
        let stream_id = 0
        return {
          prepareTurn: async () => {
            stream_id = (await createChannel([owner])).id
            await owner.call(updateRealm, { [setting]: stream_id })
          },
          change: (at) => at(owner).call(archiveChannel, { stream_id }),
          use: async (at) => {
            const state = await at(owner).call(endpoints.events.register, { fetch_event_types: ['realm'] })
            return (state as Record<string, unknown>)[`realm_${setting}`]
          },
          expected: () => -1,
        }
      },
    },
  ],
}
