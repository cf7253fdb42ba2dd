import { endpoints, isDefaultable, settingDefinitions } from '@tms/contracts'
import { type Fields, namesNothing, type SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

const OWN_DEVICES =
  'Devices are read from the database by the replica that changes them, and by nothing else.'
const SAVED_SNIPPETS = 'Saved snippets are read from the database by whichever replica of users is asked.'

const muted = { starred_message_counts: 'true' }
const savedSnippet = async ({ owner }: SampleObjects): Promise<Fields> => {
  const sample = { title: 'a sample', content: 'x' }
  const { saved_snippet_id } = await owner.call(endpoints.users.createSavedSnippet, sample)
  return { saved_snippet_id: String(saved_snippet_id) }
}

const restoreOwner = ({ owner, ownerName }: SampleObjects) =>
  owner.call(endpoints.users.updateSettings, { full_name: ownerName, timezone: 'UTC' })
const restoreDefaults = ({ owner }: SampleObjects) =>
  owner.call(
    endpoints.users.updateSettingDefaults,
    Object.fromEntries(
      settingDefinitions.filter(([name]) => isDefaultable(name)).map(([name, one]) => [name, one.default]),
    ),
  )

/** Of a browser. */
const subscription = {
  endpoint: 'https://push.example.com/x',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

export const personalSamples = {
  addAlertWords: {
    ...namesNothing({ alert_words: '["a sample"]' }),
  },
  removeAlertWords: {
    ...namesNothing({ alert_words: '["a sample"]' }),
  },
  muteUser: {
    // Muting a user works once.
    valid: async ({ createUser }) => ({ muted_user_id: String((await createUser()).userId) }),
    foreign: ({ user: muted_user_id }) => [{ muted_user_id }],
  },
  unmuteUser: {
    valid: async ({ owner, createUser }) => {
      const { userId } = await createUser()
      await owner.call(endpoints.users.muteUser, { muted_user_id: userId })
      return { muted_user_id: String(userId) }
    },
    foreign: ({ user: muted_user_id }) => [{ muted_user_id }],
  },
  markOnboardingStep: {
    ...namesNothing({ onboarding_step: 'intro_inbox_view_modal' }),
    noConsistencyRow: 'Only register returns it, from the database of users.',
  },
  runCommand: {
    ...namesNothing({ command: '/ping' }),
  },
  updatePresence: {
    ...namesNothing({ status: 'active', last_update_id: '-1' }),
    noConsistencyRow: 'Presence is in Redis alone, where each replica reads it.',
  },
  getUserPresence: {
    valid: async ({ member }) => {
      await member.call(endpoints.users.updatePresence, { status: 'active', ping_only: true })
      return { user_id_or_email: member.email }
    },
    foreign: ({ user, email }) => [user, email].map((user_id_or_email) => ({ user_id_or_email })),
  },
  addApnsDevice: {
    valid: { token: 'a0b1', appid: 'org.example.App' },
    foreign: { token: 'a device' },
    noConsistencyRow: OWN_DEVICES,
  },
  removeApnsDevice: {
    valid: async ({ owner }) => {
      await owner.call(endpoints.users.addApnsDevice, { token: 'sample' })
      return { token: 'sample' }
    },
    foreign: ({ deviceToken: token }) => [{ token }],
    noConsistencyRow: OWN_DEVICES,
  },
  addAndroidDevice: {
    ...namesNothing({ token: 'a0b1' }),
    noConsistencyRow: OWN_DEVICES,
  },
  removeAndroidDevice: {
    valid: async ({ owner }) => {
      await owner.call(endpoints.users.addAndroidDevice, { token: 'sample' })
      return { token: 'sample' }
    },
    foreign: ({ deviceToken: token }) => [{ token }],
    noConsistencyRow: OWN_DEVICES,
  },
  addWebPushSubscription: {
    ...namesNothing(subscription),
    noConsistencyRow: OWN_DEVICES,
  },
  removeWebPushSubscription: {
    valid: async ({ owner }) => {
      await owner.call(endpoints.users.addWebPushSubscription, subscription)
      return { endpoint: subscription.endpoint }
    },
    foreign: ({ deviceToken: endpoint }) => [{ endpoint }],
    noConsistencyRow: OWN_DEVICES,
  },
  removePushDevice: {
    valid: async ({ owner }) => {
      await owner.call(endpoints.users.addAndroidDevice, { token: 'sample of a device' })
      const { push_devices } = await owner.call(endpoints.users.listPushDevices, {})
      return { device_id: String(push_devices[0]?.id) }
    },
    foreign: ({ device: device_id }) => [{ device_id }],
    noConsistencyRow: OWN_DEVICES,
  },
  testPushNotification: {
    foreign: ({ deviceToken: token }) => [{ token }],
    noConsistencyRow: 'Changes nothing: it answers whether there is a device.',
  },
  registerClientDevice: {
    noConsistencyRow: OWN_DEVICES,
  },
  removeClientDevice: {
    valid: async ({ owner }) => {
      const { device_id } = await owner.call(endpoints.users.registerClientDevice, {})
      return { device_id: String(device_id) }
    },
    foreign: ({ clientDevice: device_id }) => [{ device_id }],
    noConsistencyRow: OWN_DEVICES,
  },
  registerSealedPush: {
    valid: async ({ owner }) => {
      const { device_id } = await owner.call(endpoints.users.registerClientDevice, {})
      const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32)]).toString('base64')
      return { device_id: String(device_id), push_key_id: '1', push_key }
    },
    foreign: ({ clientDevice: device_id }) => [{ device_id }],
    noConsistencyRow: OWN_DEVICES,
  },
  testSealedPush: {
    foreign: ({ clientDevice: device_id }) => [{ device_id }],
    noConsistencyRow: OWN_DEVICES,
  },
  createSavedSnippet: {
    ...namesNothing({ title: 'a sample', content: 'x' }),
    noConsistencyRow: SAVED_SNIPPETS,
  },
  updateSavedSnippet: {
    valid: async (objects) => ({ ...(await savedSnippet(objects)), title: 'another sample' }),
    foreign: ({ savedSnippet: saved_snippet_id }) => [{ saved_snippet_id, title: 'ours' }],
    noConsistencyRow: SAVED_SNIPPETS,
  },
  deleteSavedSnippet: {
    valid: savedSnippet,
    foreign: ({ savedSnippet: saved_snippet_id }) => [{ saved_snippet_id }],
    noConsistencyRow: SAVED_SNIPPETS,
  },
  updateSettings: {
    restore: restoreOwner,
    valid: { starred_message_counts: 'false' },
    foreign: muted,
  },
  updateDisplaySettings: {
    restore: restoreOwner,
    valid: { starred_message_counts: 'true' },
    foreign: muted,
  },
  updateNotificationSettings: {
    restore: restoreOwner,
    valid: { starred_message_counts: 'false' },
    foreign: muted,
  },
  updateSettingDefaults: {
    restore: restoreDefaults,
    valid: { starred_message_counts: 'false' },
    foreign: muted,
  },
  updateStatus: {
    valid: { status_text: 'a sample' },
    foreign: ({ emojiName, emojiId }) => [
      { emoji_name: emojiName },
      { emoji_name: emojiName, emoji_code: emojiId, reaction_type: 'realm_emoji' },
    ],
  },
  getStatus: {
    valid: ({ member }) => ({ user_id: String(member.userId) }),
    foreign: ({ user: user_id }) => [{ user_id }],
  },
} satisfies SamplesOf<'users'>
