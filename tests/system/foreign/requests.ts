import { type AnyEndpoint, allEndpoints } from '@tms/contracts'
import type { Answer, ApiClient } from '@tms/test-kit'
import { onePixel } from '../support/pictures.ts'
import { filePartsOf, type Names } from './contents.ts'

export type Fields = Readonly<Record<string, string>>

/** Requests that name objects of some organization; `own` are the caller's. */
export type Naming = (names: Names, own: Names) => readonly Fields[]

const json = (value: unknown): string => JSON.stringify(value)
/** Every message field that names something. */
const texts = ({ user, channelName, topic, linkifier, emojiName, filePath, message }: Names): string =>
  [
    `@_**|${user}**`,
    `#**${channelName}**`,
    `#**${channelName}>${topic}**`,
    `:${emojiName}:`,
    `linkifier ${linkifier}`,
    `[file](${filePath})`,
    `#narrow/near/${message}`,
  ].join(' ')
const narrows = ({ user, email, channel, channelName, message, topic }: Names): readonly string[] => [
  json([['channel', Number(channel)]]),
  json([['channel', channelName]]),
  json([
    ['channel', channelName],
    ['topic', topic],
  ]),
  json([['sender', Number(user)]]),
  json([['sender', email]]),
  json([['dm', [Number(user)]]]),
  json([['dm-including', email]]),
  json([['id', message]]),
  json([
    ['near', message],
    ['search', 'hello'],
  ]),
]
const page = { anchor: 'newest', num_before: '10', num_after: '10' }
const file = ({ filePath }: Names): Fields => {
  const { realm_id, filename } = filePartsOf(filePath)
  const [shard = '', ...rest] = filename.split('/')
  return { realm_id: String(realm_id), shard, filename: rest.join('/') }
}
const picture = (path: string): Fields => {
  const [, realm_id = '', filename = ''] =
    /^\/user_avatars\/(\d+)\/(?:emoji\/images\/|realm\/)?(.+)$/.exec(path) ?? []
  return { realm_id, filename }
}
const ofMessages =
  (more: Fields): Naming =>
  ({ message, privateMessage, directMessage }) =>
    [message, privateMessage, directMessage].map((message_id) => ({ message_id, ...more }))
const ofChannels =
  (more: Fields = {}): Naming =>
  ({ channel, privateChannel }) =>
    [channel, privateChannel].map((stream_id) => ({ stream_id, ...more }))

/** For each endpoint with a name in its input, requests with names of another organization. */
export const namingRequests: Readonly<Record<string, Naming>> = {
  addDefaultChannel: ofChannels(),
  addReaction: (names, own) => [
    ...ofMessages({ emoji_name: 'tada' })(names, own),
    { message_id: own.message, emoji_name: names.emojiName },
    { message_id: own.message, emoji_name: 'x', emoji_code: names.emojiId, reaction_type: 'realm_emoji' },
  ],
  addSubmessage: ofMessages({ msg_type: 'widget', content: '{}' }),
  archiveChannel: ofChannels(),
  confirmNewEmailPage: ({ newEmailKey: key }) => [{ key }],
  createBot: ({ channelName }) => [
    { full_name: 'A', short_name: 'a', default_sending_stream: channelName },
    { full_name: 'B', short_name: 'b', default_events_register_stream: channelName },
  ],
  createDrafts: ({ user, channel, privateChannel }) => [
    { drafts: json([{ type: 'stream', to: [Number(channel)], topic: 'x', content: 'x' }]) },
    { drafts: json([{ type: 'stream', to: [Number(privateChannel)], topic: 'x', content: 'x' }]) },
    { drafts: json([{ type: 'private', to: [Number(user)], topic: '', content: 'x' }]) },
  ],
  createInviteLink: ({ channel }) => [{ stream_ids: `[${channel}]` }],
  createScheduledMessage: ({ user, channel, privateChannel }) =>
    [
      { type: 'channel', to: channel, topic: 'x' },
      { type: 'channel', to: privateChannel, topic: 'x' },
      { type: 'direct', to: `[${user}]` },
    ].map((to) => ({ ...to, content: 'x', scheduled_delivery_timestamp: '4000000000' })),
  createUserGroup: ({ user, group }) => [
    { name: 'of foreign users', description: '', members: `[${user}]` },
    { name: 'for foreign users', description: '', members: '[]', can_mention_group: group },
  ],
  deactivateBot: ({ bot, user }) => [bot, user].map((bot_user_id) => ({ bot_user_id })),
  deactivateCustomEmoji: ({ emojiName: emoji_name }) => [{ emoji_name }],
  deactivateUser: ({ user: user_id }) => [{ user_id }],
  deleteAttachment: ({ attachment: attachment_id }) => [{ attachment_id }],
  deleteDraft: ({ draft: draft_id }) => [{ draft_id }],
  deleteSavedSnippet: ({ savedSnippet: saved_snippet_id }) => [{ saved_snippet_id }],
  updateSavedSnippet: ({ savedSnippet: saved_snippet_id }) => [{ saved_snippet_id, title: 'ours' }],
  deleteEventQueue: ({ queue: queue_id }) => [{ queue_id }],
  deleteMessage: ofMessages({}),
  deleteScheduledMessage: ({ scheduledMessage: scheduled_message_id }) => [{ scheduled_message_id }],
  deleteTopic: (names, own) => ofChannels({ topic_name: names.topic })(names, own),
  devFetchApiKey: ({ email: username }) => [{ username }],
  editMessage: (names, own) => [
    ...ofMessages({ content: 'y' })(names, own),
    { message_id: own.message, stream_id: names.channel },
    { message_id: own.message, stream_id: names.privateChannel },
    // Without a file, which only the first edit would detach.
    { message_id: own.privateMessage, content: texts(names) },
  ],
  findAvatar: ({ user, email }) => [user, email].map((id_or_email) => ({ id_or_email })),
  findMatchingMessages: (names) => [
    { msg_ids: `[${names.message}]`, narrow: '[["search","hello"]]' },
    ...narrows(names).map((narrow) => ({ msg_ids: `[${names.message},${names.directMessage}]`, narrow })),
  ],
  findMediumAvatar: ({ user, email }) => [user, email].map((id_or_email) => ({ id_or_email })),
  getAvatarPicture: ({ avatarPicture }) => [picture(avatarPicture)],
  getChannel: ofChannels(),
  getChannelEmailAddress: ofChannels(),
  getChannelId: ({ channelName: stream }) => [{ stream }],
  getRealmPicture: ({ iconPicture }) => [picture(iconPicture)],
  getEmojiPicture: ({ emojiPicture }) => [picture(emojiPicture)],
  getEvents: ({ queue: queue_id }) => [{ queue_id, last_event_id: '-1', dont_block: 'true' }],
  getFile: (names) => [file(names)],
  deleteExport: ({ export: export_id }) => [{ export_id }],
  getExportArchive: ({ export: export_id, exportToken: token }) => [
    { export_id, token, filename: 'x.tar.gz' },
  ],
  getMessage: ofMessages({}),
  getMessageHistory: ofMessages({}),
  getMessages: (names) => [
    ...narrows(names).map((narrow) => ({ ...page, narrow })),
    { ...page, anchor: names.message },
  ],
  getReadReceipts: ofMessages({}),
  getStatus: ({ user: user_id }) => [{ user_id }],
  getSubscriptionStatus: ({ user: user_id, channel: stream_id }, own) => [
    { user_id, stream_id: own.channel },
    { user_id: own.user, stream_id },
  ],
  getTemporaryFile: ({ temporaryToken: token, filePath }) => [
    { token, filename: filePath.split('/').at(-1) ?? '' },
  ],
  getTemporaryUrl: ({ filePath }) => {
    const { realm_id, filename } = filePartsOf(filePath)
    return [{ realm_id: String(realm_id), filename }]
  },
  getUser: ({ user, bot }) => [user, bot].map((user_id) => ({ user_id })),
  getUserByEmail: ({ email }) => [{ email }],
  getUserPresence: ({ user, email }) => [user, email].map((user_id_or_email) => ({ user_id_or_email })),
  inviteByEmail: ({ email, channel }) => [{ invitee_emails: email, stream_ids: `[${channel}]` }],
  isUserGroupMember: ({ user: user_id, group: user_group_id }, own) => [
    { user_group_id, user_id },
    { user_group_id, user_id: own.user },
    { user_group_id: own.group, user_id },
  ],
  listSubscribers: ofChannels(),
  listTopics: ofChannels(),
  listUserGroupMembers: ({ group: user_group_id }) => [{ user_group_id }],
  listUserGroupSubgroups: ({ group: user_group_id }) => [{ user_group_id }],
  markChannelAsRead: ofChannels(),
  markTopicAsRead: (names, own) => ofChannels({ topic_name: names.topic })(names, own),
  muteTopic: (names, own) => [
    ...ofChannels({ topic: 'x', op: 'add' })(names, own),
    { stream: names.channelName, topic: 'x', op: 'add' },
  ],
  muteUser: ({ user: muted_user_id }) => [{ muted_user_id }],
  reactivateUser: ({ user, bot }) => [user, bot].map((user_id) => ({ user_id })),
  regenerateBotApiKey: ({ bot: bot_user_id }) => [{ bot_user_id }],
  register: (names) =>
    narrows(names)
      .slice(0, 4)
      .map((narrow) => ({ fetch_event_types: '[]', narrow })),
  removeDefaultChannel: ofChannels(),
  removeEmailDomain: ({ domain }) => [{ domain }],
  removePlayground: ({ playground: playground_id }) => [{ playground_id }],
  updateEmailDomain: ({ domain }) => [{ domain, allow_subdomains: 'true' }],
  removeLinkifier: ({ linkifier: filter_id }) => [{ filter_id }],
  removeProfileData: ({ profileField }) => [{ data: `[${profileField}]` }],
  removeProfileField: ({ profileField: field_id }) => [{ field_id }],
  removeAndroidDevice: ({ deviceToken: token }) => [{ token }],
  removeApnsDevice: ({ deviceToken: token }) => [{ token }],
  testPushNotification: ({ deviceToken: token }) => [{ token }],
  removeReaction: ofMessages({ emoji_name: 'tada' }),
  removeUserGroup: ({ group: user_group_id }) => [{ user_group_id }],
  renderMessage: (names) => [{ content: texts(names) }],
  reorderLinkifiers: ({ linkifier }, own) => [
    { ordered_linkifier_ids: `[${own.linkifier},${linkifier}]` },
    { ordered_linkifier_ids: `[${linkifier}]` },
  ],
  reorderProfileFields: ({ profileField }, own) => [
    { order: `[${own.profileField},${profileField}]` },
    { order: `[${profileField}]` },
  ],
  resendInvitation: ({ invitation: invite_id }) => [{ invite_id }],
  revokeInvitation: ({ invitation: invite_id }) => [{ invite_id }],
  revokeInvitationLink: ({ link: invite_id }) => [{ invite_id }],
  sendMessage: ({ user, bot, email, channel, privateChannel, channelName, group }) => [
    { type: 'channel', to: channel, topic: 'x', content: 'x' },
    { type: 'channel', to: privateChannel, topic: 'x', content: 'x' },
    { type: 'channel', to: json(channelName), topic: 'x', content: 'x' },
    { type: 'direct', to: `[${user}]`, content: 'x' },
    { type: 'direct', to: `[${bot}]`, content: 'x' },
    { type: 'direct', to: json([email]), content: `x @*${group}*` },
  ],
  setTypingStatus: ({ user, channel }) => [
    { op: 'start', to: `[${user}]` },
    { op: 'start', type: 'stream', stream_id: channel, topic: 'x' },
    { op: 'start', type: 'channel', to: `[${channel}]`, topic: 'x' },
  ],
  showJoinPage: ({ linkKey: key }) => [{ key }],
  showNewPasswordPage: ({ resetKey: key }) => [{ key }],
  showSignUpPage: ({ signUpKey: key }) => [{ key }],
  submitJoinPage: ({ linkKey: key }) => [{ key, email: 'somebody@example.org' }],
  submitNewPasswordPage: ({ resetKey: key }) => [{ key, password: 'a long and strange password 7' }],
  submitOpenJoinPage: ({ email }) => [{ email }],
  submitPasswordResetPage: ({ email }) => [{ email }],
  submitSignUpPage: ({ signUpKey: key }) => [
    { key, full_name: 'Somebody', password: 'a long and strange password 7' },
  ],
  subscribe: ({ user, email }, own) =>
    [json([Number(user)]), json([email])].map((principals) => ({
      subscriptions: json([{ name: own.channelName }]),
      principals,
    })),
  unmuteUser: ({ user: muted_user_id }) => [{ muted_user_id }],
  unsubscribe: ({ user, channelName }, own) => [
    { subscriptions: json([channelName]) },
    { subscriptions: json([own.channelName]), principals: `[${user}]` },
  ],
  updateBot: ({ bot, user, channelName }, own) => [
    { bot_user_id: bot, full_name: 'Taken over' },
    { bot_user_id: own.bot, bot_owner_id: user },
    { bot_user_id: own.bot, default_sending_stream: channelName },
  ],
  updateChannel: ofChannels({ description: 'Taken over' }),
  updatePointer: ({ message, privateMessage, directMessage }) =>
    [message, privateMessage, directMessage].map((pointer) => ({ pointer })),
  updateDraft: ({ draft, channel }, own) => [
    { draft_id: draft, draft: json({ type: '', to: [], topic: '', content: 'x' }) },
    { draft_id: own.draft, draft: json({ type: 'stream', to: [Number(channel)], topic: 'x', content: 'x' }) },
  ],
  updateFlagsForNarrow: (names) =>
    narrows(names).map((narrow) => ({ ...page, narrow, op: 'add', flag: 'starred' })),
  updateLinkifier: ({ linkifier: filter_id }) => [
    { filter_id, pattern: 'taken-(?P<id>x)', url_template: 'https://example.com/{id}' },
  ],
  updateMessageFlags: ({ message, privateMessage, directMessage }) =>
    [message, privateMessage, directMessage].flatMap((id) =>
      ['add', 'remove'].map((op) => ({ messages: `[${id}]`, op, flag: 'starred' })),
    ),
  updateProfileData: ({ profileField }) => [{ data: json([{ id: Number(profileField), value: 'x' }]) }],
  updateProfileField: ({ profileField: field_id }) => [{ field_id, name: 'Taken over' }],
  updateRealm: ({ channel, privateChannel, group }) => [
    { can_create_private_channel_group: group },
    { signup_announcements_stream_id: channel },
    { new_stream_announcements_stream_id: privateChannel },
  ],
  updateScheduledMessage: ({ scheduledMessage, channel }, own) => [
    { scheduled_message_id: scheduledMessage, content: 'y' },
    { scheduled_message_id: own.scheduledMessage, type: 'channel', to: channel, topic: 'x' },
  ],
  updateStatus: ({ emojiName, emojiId }) => [
    { emoji_name: emojiName },
    { emoji_name: emojiName, emoji_code: emojiId, reaction_type: 'realm_emoji' },
  ],
  updateSubscriptionSetting: ofChannels({ property: 'is_muted', value: 'true' }),
  updateSubscriptionSettings: ({ channel, privateChannel }) =>
    [channel, privateChannel].map((id) => ({
      subscription_data: json([{ stream_id: Number(id), property: 'is_muted', value: true }]),
    })),
  updateSubscriptions: ({ channelName }) => [{ delete: json([channelName]) }],
  updateUser: ({ user, bot, profileField }, own) => [
    { user_id: user, full_name: 'Taken over' },
    { user_id: bot, role: '600' },
    { user_id: own.user, profile_data: json([{ id: Number(profileField), value: 'x' }]) },
  ],
  updateUserGroup: ({ group: user_group_id }, own) => [
    { user_group_id, name: 'Taken over' },
    { user_group_id: own.group, can_mention_group: user_group_id },
  ],
  updateUserGroupMembers: ({ group: user_group_id, user }, own) => [
    { user_group_id, add: `[${own.user}]` },
    { user_group_id: own.group, add: `[${user}]` },
    { user_group_id: own.group, delete: `[${user}]` },
  ],
  updateUserGroupSubgroups: ({ group: user_group_id }, own) => [
    { user_group_id, add: `[${own.group}]` },
    { user_group_id: own.group, add: `[${user_group_id}]` },
  ],
  updateUserTopic: ofChannels({ topic: 'x', visibility_policy: '3' }),
}

const muted = { starred_message_counts: 'true' }

/** The requests of endpoints whose parameters name nothing that could belong to another organization. */
export const otherRequests: Readonly<Record<string, Fields>> = {
  addAlertWords: { alert_words: '["hello"]' },
  addEmailDomain: { domain: 'other.example.org', allow_subdomains: 'false' },
  addPlayground: { name: 'other', pygments_language: 'other', url_template: 'https://example.com/{code}' },
  deleteLogo: { night: 'false' },
  findLogo: {},
  startExport: {},
  uploadLogo: {},
  addLinkifier: { pattern: 'other-(?P<id>x)', url_template: 'https://example.com/{id}' },
  createProfileField: { name: 'other', field_type: '1' },
  createUser: { email: 'other@example.com', password: 'a sample password', full_name: 'Other' },
  // The response may say that an address belongs elsewhere (its handler explains why); see the test of credentials.
  fetchApiKey: { username: 'nobody@example.com', password: 'x' },
  createDefaultChannelGroup: { group_name: 'other', description: 'x', stream_names: '[]' },
  updateDefaultChannelGroup: { group_id: '1' },
  removeDefaultChannelGroup: { group_id: '1' },
  updateDefaultChannelGroupChannels: { group_id: '1', op: 'add', stream_names: '[]' },
  createBigBlueButtonCall: { meeting_name: 'other' },
  createZoomCall: {},
  markOnboardingStep: { onboarding_step: 'intro_inbox_view_modal' },
  runCommand: { command: '/ping' },
  createSavedSnippet: { title: 'ours', content: 'x' },
  listChannels: { include_all_active: 'true' },
  getBotStorage: {},
  updateBotStorage: { storage: '{"a":"b"}' },
  removeBotStorage: {},
  showCallPage: {},
  joinCallPage: {},
  listSubscriptions: { include_subscribers: 'true' },
  listUsers: { include_custom_profile_fields: 'true' },
  addAndroidDevice: { token: 'a device' },
  addApnsDevice: { token: 'a device' },
  removeAlertWords: { alert_words: '["hello"]' },
  updateDisplaySettings: muted,
  updateNotificationSettings: muted,
  updatePresence: { status: 'active', last_update_id: '-1' },
  updateSettingDefaults: muted,
  updateSettings: muted,
  uploadCustomEmoji: { emoji_name: 'other' },
}

/** Whether a request can name anything. */
export const takesParameters = ({ pathParameters, parameters }: AnyEndpoint): boolean =>
  Object.keys({ ...pathParameters, ...parameters }).length > 0

/** The endpoint of a name. */
export function endpointOf(name: string): AnyEndpoint {
  const found = allEndpoints.find((endpoint) => endpoint.name === name)
  if (!found) throw new Error(`there is no endpoint ${name}`)
  return found
}

/** Sends a request to an endpoint as a client program does. */
export function sendRequest(client: ApiClient, endpoint: AnyEndpoint, fields: Fields): Promise<Answer> {
  const { method, path, prefix, pathParameters, body } = endpoint
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fields[name] ?? ''))
  if (body === 'file')
    return client.uploadTo(prefix + filled, { name: 'a.png', content: onePixel, type: 'image/png' })
  const inPath = (name: string) => name in pathParameters
  return client.request(
    method,
    filled,
    Object.entries(fields).filter(([name]) => !inPath(name)),
    { prefix },
  )
}
