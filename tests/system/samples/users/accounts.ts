import { endpoints } from '@tms/contracts'
import { anyPicture } from '../../support/pictures.ts'
import { json, pictureOf } from '../naming.ts'
import { addProfileField } from '../realm/organization.ts'
import { type Fields, namesNothing, type SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

const SIGN_IN = 'Changes nothing: it returns a key.'

const newUser = async ({ createUser }: SampleObjects): Promise<Fields> => ({
  user_id: String((await createUser()).userId),
})

const apiToken = async ({ owner }: SampleObjects): Promise<Fields> => {
  const { api_token } = await owner.call(endpoints.users.createApiToken, {
    name: 'a sample',
    scopes: ['read'],
  })
  return { token_id: String(api_token.id) }
}

export const accountSamples = {
  createApiToken: {
    valid: { name: 'a sample', scopes: '["read"]' },
    foreign: ({ bot, channel }) => [
      { name: 'ours', scopes: '["send"]', bot_user_id: bot },
      { name: 'ours', scopes: '["send"]', channel_ids: json([Number(channel)]) },
    ],
    noConsistencyRow: 'Nothing can have cached what no caller knew.',
  },
  listRealmApiTokens: { ...namesNothing({ after_id: '0' }) },
  revokeApiToken: {
    valid: apiToken,
    foreign: ({ apiToken: token_id }) => [{ token_id }],
  },
  deactivateOwnUser: { caller: 'new user' },
  regenerateApiKey: { caller: 'new user' },
  updateUser: {
    valid: async (objects) => ({
      ...(await newUser(objects)),
      full_name: 'Another Sample',
      role: '300',
    }),
    foreign: ({ user, bot, profileField }, own) => [
      { user_id: user, full_name: 'Taken over' },
      { user_id: bot, role: '600' },
      { user_id: own.user, profile_data: json([{ id: Number(profileField), value: 'x' }]) },
    ],
  },
  updateUserByEmail: {
    valid: async ({ createUser }) => ({
      email: (await createUser()).email,
      full_name: 'One More Sample',
    }),
    foreign: ({ email }) => [{ email, full_name: 'Taken over' }],
  },
  deactivateUser: {
    valid: async (objects) => ({
      ...(await newUser(objects)),
      deactivation_notification_comment: 'a sample',
    }),
    foreign: ({ user: user_id }) => [{ user_id }],
  },
  reactivateUser: {
    valid: newUser,
    foreign: ({ user, bot }) => [user, bot].map((user_id) => ({ user_id })),
  },
  getAvatarPicture: {
    valid: async ({ owner }) => {
      const { body } = await owner.uploadTo('/api/v1/users/me/avatar', anyPicture)
      return pictureOf(String(body['avatar_url']))
    },
    foreign: ({ avatarPicture }) => [pictureOf(avatarPicture)],
  },
  findAvatar: {
    valid: ({ member }) => ({ id_or_email: String(member.userId) }),
    foreign: ({ user, email }) => [user, email].map((id_or_email) => ({ id_or_email })),
  },
  findMediumAvatar: {
    valid: ({ member }) => ({ id_or_email: member.email }),
    foreign: ({ user, email }) => [user, email].map((id_or_email) => ({ id_or_email })),
  },
  fetchApiKey: {
    valid: ({ owner, ownerPassword }) => ({ username: owner.email, password: ownerPassword }),
    // The response may say that an address belongs elsewhere (its handler explains why); see the test of credentials.
    foreign: { username: 'nobody@example.com', password: 'x' },
    noConsistencyRow: SIGN_IN,
  },
  devFetchApiKey: {
    valid: ({ owner }) => ({ username: owner.email }),
    foreign: ({ email: username }) => [{ username }],
    noConsistencyRow: SIGN_IN,
  },
  updateProfileData: {
    valid: async (objects) => {
      const { field_id } = await addProfileField(objects)
      return { data: JSON.stringify([{ id: Number(field_id), value: 'a sample' }]) }
    },
    foreign: ({ profileField }) => [{ data: json([{ id: Number(profileField), value: 'x' }]) }],
  },
  removeProfileData: {
    valid: { data: '[]' },
    foreign: ({ profileField }) => [{ data: `[${profileField}]` }],
  },
  createUser: {
    valid: { email: 'sample@example.com', password: 'a sample password', full_name: 'A Sample' },
    foreign: { email: 'other@example.com', password: 'a sample password', full_name: 'Other' },
  },
  listUsers: {
    foreign: { include_custom_profile_fields: 'true' },
  },
  getUser: {
    valid: ({ member }) => ({ user_id: String(member.userId) }),
    foreign: ({ user, bot }) => [user, bot].map((user_id) => ({ user_id })),
  },
  getUserByEmail: {
    valid: ({ member }) => ({ email: member.email }),
    foreign: ({ email }) => [{ email }],
  },
} satisfies SamplesOf<'users'>
