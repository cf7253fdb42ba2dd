import {
  type AnyEndpoint,
  apiEndpoints,
  endpoints,
  isDefaultable,
  type NewDraft,
  settingDefinitions,
} from '@tms/contracts'
import { type Answer, ApiClient, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, refusal } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { callByGeneratedClient } from '../support/generated-client.ts'
import { newGroup, newGroupName } from '../support/groups.ts'
import { invite, newAddress, newLink } from '../support/invitations.ts'
import { newOrganization, type OtherOrganization } from '../support/other-organization.ts'
import { onePixel } from '../support/pictures.ts'
import { switchedOff } from '../support/switched-off.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, secondsFromNow, sendToChannel } from '../support/users-and-channels.ts'

type Fields = Readonly<Record<string, string>>

/** Values that break code that does not expect them. */
const NASTY: readonly string[] = [
  '',
  ' ',
  '\0',
  '"\\u0000"',
  '"\\ud800"',
  '["\\ud800"]',
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  'NaN',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '[]',
  '[null]',
  '[[]]',
  '[-1]',
  '[9007199254740991]',
  '["x"]',
  '[{}]',
  '{}',
  '{"__proto__":true}',
  '__proto__',
  "'; drop table messages; --",
  '%s%n%00',
  '🦉\u202e\u0301',
  '{"a":',
  'x'.repeat(5_000),
]
/** The same, too long for a URL. */
const LARGE: readonly string[] = [
  '['.repeat(10_000) + ']'.repeat(10_000),
  '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i - 5_000)),
  JSON.stringify(Array.from({ length: 10_000 }, () => 'x')),
  '🦉'.repeat(11_000),
]
const AT_ONCE = 8
const requiredIn = ({ pathParameters, parameters }: AnyEndpoint): string[] => [
  ...Object.keys(pathParameters),
  ...Object.keys(parameters).filter((name) => parameters[name]?.required),
]
const isForBots = (name: string): boolean => name.endsWith('BotStorage')
/** Fits wherever a file is accepted. */
const picture = { name: 'a file.png', content: onePixel, type: 'image/png' }

export const everyEndpointTests = (system: () => TestSystem): void => {
  let member: ApiClient
  let sampleBot: ApiClient
  /** Valid input of every endpoint that requires any, by name. */
  let samples: Readonly<Record<string, Fields | (() => Promise<Fields>)>>
  /** Otherwise the owner's own account. */
  let ownerBefore: { full_name: string; timezone: string }
  beforeAll(async () => {
    const { full_name } = await system().owner.call(endpoints.users.getOwnUser, {})
    ownerBefore = { full_name, timezone: 'UTC' }
    member = (await newUsers(system(), 1))[0] as ApiClient
    const { owner } = system()
    const channel = await newChannel(owner)
    const scheduled = { type: 'direct', to: `[${owner.userId}]`, content: 'x' }
    const later = { ...scheduled, scheduled_delivery_timestamp: String(secondsFromNow(86_400)) }
    const schedule = async () => {
      const { body } = await owner.request('POST', '/scheduled_messages', Object.entries(later))
      return { scheduled_message_id: String(body['scheduled_message_id']) }
    }
    const message_id = String(await sendToChannel(owner, channel.name))
    const deleted_id = String(await sendToChannel(owner, channel.name))
    const stream_id = String(channel.id)
    const queueOf = async (event_types?: string[]) =>
      (await owner.call(endpoints.events.register, { event_types, fetch_event_types: [] })).queue_id
    const upload = async () => {
      const { url } = (await owner.upload({ name: 'a sample.txt', content: 'x' })).body as { url: string }
      const [realm_id = '', shard = '', ...rest] = url.replace('/user_uploads/', '').split('/')
      return { realm_id, shard, rest: rest.join('/') }
    }
    const file = await upload()
    const fileFields = { realm_id: file.realm_id, filename: `${file.shard}/${file.rest}` }
    await upload()
    const { attachments } = await owner.call(endpoints.messaging.listAttachments, {})
    const draft: NewDraft = { type: 'stream', to: [channel.id], topic: '', content: 'x' }
    const { ids: draftIds } = await owner.call(endpoints.messaging.createDrafts, { drafts: [draft, draft] })
    let linkifiers = 0
    const newLinkifier = () => ({
      pattern: `sample-${++linkifiers}-(?P<id>x)`,
      url_template: 'https://example.com/{id}',
    })
    const linkifier = async (): Promise<Fields> => {
      const { id } = await owner.call(endpoints.realm.addLinkifier, newLinkifier())
      return { filter_id: String(id) }
    }
    let bots = 0
    const newBotNames = () => ({ full_name: `A Sample Bot ${++bots}`, short_name: `sample-${bots}` })
    const newBot = async () => {
      const { user_id } = await owner.call(endpoints.users.createBot, newBotNames())
      return { bot_user_id: String(user_id) }
    }
    let fields = 0
    const newField = () => ({ name: `sample ${++fields}`, field_type: '1' })
    const profileField = async (): Promise<Fields> => {
      const added = await owner.request('POST', '/realm/profile_fields', Object.entries(newField()))
      return { field_id: String(added.body['id']) }
    }
    let domains = 0
    const newDomain = () => `sample-${++domains}.example`
    const addDomain = async (): Promise<string> => {
      const domain = newDomain()
      await owner.call(endpoints.realm.addEmailDomain, { domain, allow_subdomains: false })
      return domain
    }
    let playgrounds = 0
    const newPlayground = () => ({
      name: `sample ${++playgrounds}`,
      highlighter_language: 'Rust',
      url_template: 'https://play.example.com/{code}',
    })
    const listExports = async () => (await owner.call(endpoints.realm.listExports, {})).exports
    const noneRuns = () => until(async () => (await listExports()).every(({ pending }) => !pending))
    const madeExport = async () => {
      await noneRuns()
      const { id } = await owner.call(endpoints.realm.startExport, {})
      await noneRuns()
      return (await listExports()).find((one) => one.id === id)
    }
    let emoji = 0
    const newEmoji = () => ({ emoji_name: `sample-${++emoji}` })
    const addEmoji = async (): Promise<{ emoji_name: string }> => {
      const added = newEmoji()
      await owner.uploadTo(`/api/v1/realm/emoji/${added.emoji_name}`, picture)
      return added
    }
    // Nothing else depends on data that is changed or deleted here.
    const changing = await newChannel(owner)
    const leaving = await newChannel(owner)
    const usedChannel = await newChannel(owner)
    const group = { user_group_id: String((await newGroup(owner)).id) }
    sampleBot = await newBotOf(owner)
    const stored = async () => {
      await sampleBot.call(endpoints.users.updateBotStorage, { storage: { 'a sample': 'x' } })
      return { keys: '["a sample"]' }
    }
    const savedSnippet = async () => {
      const sample = { title: 'a sample', content: 'x' }
      const { saved_snippet_id } = await owner.call(endpoints.users.createSavedSnippet, sample)
      return { saved_snippet_id: String(saved_snippet_id) }
    }
    samples = {
      fetchApiKey: { username: owner.email, password: system().ownerPassword },
      devFetchApiKey: { username: owner.email },
      updateBotStorage: { storage: '{"a sample":"x"}' },
      getBotStorage: stored,
      removeBotStorage: stored,
      createBot: async () => newBotNames(),
      updateBot: { bot_user_id: (await newBot()).bot_user_id, full_name: 'A Renamed Sample' },
      deactivateBot: newBot,
      regenerateBotApiKey: await newBot(),
      createUser: { email: 'sample@example.com', password: 'a sample password', full_name: 'A Sample' },
      getUser: { user_id: String(member.userId) },
      getUserByEmail: { email: member.email },
      updateUser: async () => ({
        user_id: String((await system().createUser()).userId),
        full_name: 'Another Sample',
        role: '300',
      }),
      deactivateUser: async () => ({
        user_id: String((await system().createUser()).userId),
        deactivation_notification_comment: 'a sample',
      }),
      reactivateUser: async () => ({ user_id: String((await system().createUser()).userId) }),
      createSavedSnippet: { title: 'a sample', content: 'x' },
      updateSavedSnippet: async () => ({ ...(await savedSnippet()), title: 'another sample' }),
      deleteSavedSnippet: savedSnippet,
      addAlertWords: { alert_words: '["a sample"]' },
      removeAlertWords: { alert_words: '["a sample"]' },
      // Muting a user works once.
      muteUser: async () => ({ muted_user_id: String((await system().createUser()).userId) }),
      unmuteUser: async () => {
        const { userId } = await system().createUser()
        await owner.call(endpoints.users.muteUser, { muted_user_id: userId })
        return { muted_user_id: String(userId) }
      },
      addApnsDevice: { token: 'a0b1', appid: 'org.example.App' },
      removeApnsDevice: async () => {
        await owner.call(endpoints.users.addApnsDevice, { token: 'sample' })
        return { token: 'sample' }
      },
      addAndroidDevice: { token: 'a0b1' },
      markOnboardingStep: { onboarding_step: 'intro_inbox_view_modal' },
      runCommand: { command: '/ping' },
      removeAndroidDevice: async () => {
        await owner.call(endpoints.users.addAndroidDevice, { token: 'sample' })
        return { token: 'sample' }
      },
      updateSettings: { starred_message_counts: 'false' },
      inviteByEmail: { invitee_emails: 'a.sample@example.org', stream_ids: '[]' },
      createInviteLink: { stream_ids: `[${usedChannel.id}]` },
      // Revoking works once.
      revokeInvitation: async () => ({ invite_id: String(await invite(owner, newAddress())) }),
      revokeInvitationLink: async () => ({ invite_id: String((await newLink(owner)).id) }),
      resendInvitation: async () => ({ invite_id: String(await invite(owner, newAddress())) }),
      updateDisplaySettings: { starred_message_counts: 'true' },
      updateNotificationSettings: { starred_message_counts: 'false' },
      updateSettingDefaults: { starred_message_counts: 'false' },
      getAvatarPicture: async () => {
        const { body } = await owner.uploadTo('/api/v1/users/me/avatar', picture)
        const [, realm_id = '', filename = ''] =
          /^\/user_avatars\/(\d+)\/([^?]+)/.exec(String(body['avatar_url'])) ?? []
        return { realm_id, filename }
      },
      findAvatar: { id_or_email: String(member.userId) },
      findMediumAvatar: { id_or_email: member.email },
      createUserGroup: async () => ({ name: newGroupName(), description: '', members: '[]' }),
      updateUserGroup: { ...group, description: 'a sample' },
      removeUserGroup: async () => ({ user_group_id: String((await newGroup(owner)).id) }),
      updateUserGroupMembers: async () => ({
        ...group,
        add: JSON.stringify([(await system().createUser()).userId]),
      }),
      listUserGroupMembers: group,
      isUserGroupMember: { ...group, user_id: String(member.userId) },
      updateUserGroupSubgroups: async () => ({ ...group, add: JSON.stringify([(await newGroup(owner)).id]) }),
      listUserGroupSubgroups: group,
      updateProfileData: async () => {
        const { field_id = '' } = await profileField()
        return { data: JSON.stringify([{ id: Number(field_id), value: 'a sample' }]) }
      },
      removeProfileData: { data: '[]' },
      updateStatus: { status_text: 'a sample' },
      getStatus: { user_id: String(member.userId) },
      updatePresence: { status: 'active', last_update_id: '-1' },
      getUserPresence: async () => {
        await member.call(endpoints.users.updatePresence, { status: 'active', ping_only: true })
        return { user_id_or_email: member.email }
      },
      createZoomCall: { is_video_call: 'true' },
      createBigBlueButtonCall: { meeting_name: 'a sample' },
      updateRealm: { description: 'a sample' },
      reorderLinkifiers: async () => {
        const { linkifiers: present } = await owner.call(endpoints.realm.listLinkifiers, {})
        return { ordered_linkifier_ids: JSON.stringify(present.map(({ id }) => id)) }
      },
      addLinkifier: async () => newLinkifier(),
      updateLinkifier: async () => ({ ...(await linkifier()), ...newLinkifier() }),
      removeLinkifier: linkifier,
      uploadLogo: { night: 'true' },
      deleteLogo: { night: 'false' },
      findLogo: async () => {
        await owner.uploadTo('/api/v1/realm/logo', picture)
        return {}
      },
      getRealmPicture: async () => {
        const { body } = await owner.uploadTo('/api/v1/realm/icon', picture)
        const [, realm_id = '', filename = ''] =
          /^\/user_avatars\/(\d+)\/realm\/(.+)$/.exec(String(body['icon_url'])) ?? []
        return { realm_id, filename }
      },
      addEmailDomain: async () => ({ domain: newDomain(), allow_subdomains: 'false' }),
      updateEmailDomain: async () => ({ domain: await addDomain(), allow_subdomains: 'true' }),
      removeEmailDomain: async () => ({ domain: await addDomain() }),
      startExport: async () => {
        await noneRuns()
        return {}
      },
      deleteExport: async () => ({ export_id: String((await madeExport())?.id) }),
      getExportArchive: async () => {
        const url = String((await madeExport())?.export_url)
        const [, export_id = '', token = '', filename = ''] =
          /\/realm_exports\/(\d+)\/([^/]+)\/(.+)$/.exec(url) ?? []
        return { export_id, token, filename }
      },
      addPlayground: async () => newPlayground(),
      removePlayground: async () => {
        const { id } = await owner.call(endpoints.realm.addPlayground, newPlayground())
        return { playground_id: String(id) }
      },
      createProfileField: async () => newField(),
      updateProfileField: async () => ({ ...(await profileField()), hint: 'a sample' }),
      reorderProfileFields: async () => {
        const { custom_fields } = await owner.call(endpoints.realm.listProfileFields, {})
        return { order: JSON.stringify(custom_fields.map(({ id }) => id)) }
      },
      removeProfileField: profileField,
      uploadCustomEmoji: async () => newEmoji(),
      deactivateCustomEmoji: addEmoji,
      getEmojiPicture: async () => {
        const { emoji_name } = await addEmoji()
        const { emoji: all } = await owner.call(endpoints.realm.listCustomEmoji, {})
        const { source_url = '' } = Object.values(all).find(({ name }) => name === emoji_name) ?? {}
        const [, realm_id = '', filename = ''] =
          /^\/user_avatars\/(\d+)\/emoji\/images\/(.+)$/.exec(source_url) ?? []
        return { realm_id, filename }
      },
      sendMessage: { type: 'channel', to: channel.name, topic: 'a topic', content: 'x' },
      setTypingStatus: { op: 'start', to: `[${member.userId}]` },
      getMessages: { anchor: 'newest', num_before: '5', num_after: '0' },
      getMessage: { message_id },
      updateMessageFlags: { messages: `[${message_id}]`, op: 'add', flag: 'starred' },
      findMatchingMessages: { msg_ids: `[${message_id}]`, narrow: '[["search","x"]]' },
      updateFlagsForNarrow: {
        anchor: 'newest',
        num_before: '2',
        num_after: '0',
        narrow: '[["search","x"]]',
        op: 'add',
        flag: 'read',
      },
      markChannelAsRead: { stream_id },
      markTopicAsRead: { stream_id, topic_name: 'a topic' },
      getReadReceipts: { message_id },
      renderMessage: { content: 'x' },
      editMessage: { message_id, content: 'y' },
      getMessageHistory: { message_id },
      deleteMessage: { message_id: deleted_id },
      deleteTopic: { stream_id, topic_name: 'another topic' },
      subscribe: { subscriptions: JSON.stringify([{ name: 'a sample' }]) },
      unsubscribe: { subscriptions: JSON.stringify([channel.name]) },
      getChannel: { stream_id },
      getChannelId: { stream: channel.name },
      listTopics: { stream_id },
      updateUserTopic: { stream_id, topic: 'a topic', visibility_policy: '3' },
      muteTopic: { stream_id, topic: 'a topic', op: 'add' },
      updatePointer: { pointer: message_id },
      addReaction: async () => ({
        message_id: String(await sendToChannel(owner, channel.name)),
        emoji_name: 'tada',
      }),
      removeReaction: async () => {
        const id = await sendToChannel(owner, channel.name)
        await owner.call(endpoints.messaging.addReaction, { message_id: id, emoji_name: 'tada' })
        return { message_id: String(id), emoji_code: '1f389' }
      },
      addSubmessage: { message_id, msg_type: 'widget', content: '{}' },
      createDrafts: { drafts: JSON.stringify([draft]) },
      updateDraft: { draft_id: String(draftIds[0]), draft: JSON.stringify(draft) },
      deleteDraft: { draft_id: String(draftIds[1]) },
      listSubscribers: { stream_id },
      getSubscriptionStatus: { user_id: String(owner.userId), stream_id },
      getChannelEmailAddress: { stream_id },
      updateChannel: { stream_id: String(changing.id), description: 'a sample' },
      archiveChannel: async () => ({ stream_id: String((await newChannel(owner)).id) }),
      createDefaultChannelGroup: { group_name: 'a sample', description: 'x', stream_names: '[]' },
      updateDefaultChannelGroup: { group_id: '1', new_group_name: 'a sample' },
      removeDefaultChannelGroup: { group_id: '1' },
      updateDefaultChannelGroupChannels: { group_id: '1', op: 'add', stream_names: '[]' },
      addDefaultChannel: { stream_id: String(usedChannel.id) },
      removeDefaultChannel: { stream_id: String(usedChannel.id) },
      updateSubscriptions: {
        add: JSON.stringify([{ name: 'a sample' }]),
        delete: JSON.stringify([leaving.name]),
      },
      updateSubscriptionSetting: { stream_id: String(usedChannel.id), property: 'color', value: '#76ce90' },
      updateSubscriptionSettings: {
        subscription_data: JSON.stringify([{ stream_id: usedChannel.id, property: 'is_muted', value: true }]),
      },
      getTemporaryUrl: fileFields,
      getFile: { realm_id: file.realm_id, shard: file.shard, filename: file.rest },
      // Such a URL expires soon.
      getTemporaryFile: async () => {
        const { url } = await owner.call(endpoints.messaging.getTemporaryUrl, {
          realm_id: Number(file.realm_id),
          filename: fileFields.filename,
        })
        const [token = '', filename = ''] = url.split('/').slice(-2)
        return { token, filename }
      },
      deleteAttachment: { attachment_id: String(attachments.at(-1)?.id) },
      createScheduledMessage: later,
      updateScheduledMessage: { ...(await schedule()), ...scheduled },
      deleteScheduledMessage: schedule,
      register: { fetch_event_types: '[]' },
      // Not of all events: each of dozens of responses would contain all events of the other endpoints' tests.
      getEvents: { queue_id: await queueOf(['message']), dont_block: 'true' },
      deleteEventQueue: { queue_id: await queueOf() },
    }
  })

  /** Nasty values are valid for some settings. */
  const restoreSettings = () =>
    system().owner.call(endpoints.realm.updateRealm, {
      name: 'Team Messaging',
      mandatory_topics: false,
      name_changes_disabled: false,
      email_changes_disabled: false,
      avatar_changes_disabled: false,
      require_unique_names: false,
      emails_restricted_to_domains: false,
      enable_spectator_access: false,
    })

  const restoreOwner = () => system().owner.call(endpoints.users.updateSettings, ownerBefore)
  const restoreDefaults = () =>
    system().owner.call(
      endpoints.users.updateSettingDefaults,
      Object.fromEntries(
        settingDefinitions.filter(([name]) => isDefaultable(name)).map(([name, one]) => [name, one.default]),
      ),
    )

  const ask = (client: ApiClient, endpoint: AnyEndpoint, fields: Fields) => {
    const { method, path, prefix, pathParameters, body } = endpoint
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fields[name] ?? ''))
    const others = Object.entries(fields).filter(([name]) => !(name in pathParameters))
    if (body === 'file') {
      const query = others.length > 0 ? `?${new URLSearchParams(others)}` : ''
      return client.uploadTo(`${prefix}${filled}${query}`, picture)
    }
    return client.request(method, filled, others, { prefix })
  }
  let closing: OtherOrganization
  /** The owner, except if the call removes the caller. */
  const callerOf = async ({ name }: AnyEndpoint): Promise<ApiClient> =>
    // If the account, key or organization ends, the caller cannot continue.
    name === 'deactivateRealm'
      ? closing.owner
      : ['deactivateOwnUser', 'regenerateApiKey'].includes(name)
        ? system().createUser()
        : isForBots(name)
          ? sampleBot
          : system().owner
  const sampleOf = async ({ name }: AnyEndpoint): Promise<Fields> => {
    const sample = samples[name] ?? {}
    return typeof sample === 'function' ? sample() : sample
  }
  /** The faults of a response; a file may have any content, and redirects any target. */
  const faultsIn = (endpoint: AnyEndpoint, answer: Answer): string[] =>
    endpoint.answer !== 'envelope' && answer.status < 400 ? [] : faultsOf(answer)

  describe.each(apiEndpoints.map((endpoint) => ({ endpoint, title: `${endpoint.method} ${endpoint.path}` })))(
    '$title',
    ({ endpoint }) => {
      if (endpoint.name === 'updateRealm') afterAll(restoreSettings)
      if (endpoint.name === 'updateSettingDefaults') afterAll(restoreDefaults)
      if (/^update(Display|Notification)?Settings$/.test(endpoint.name)) afterAll(restoreOwner)

      if (endpoint.name === 'deactivateRealm') {
        beforeAll(async () => {
          closing = await newOrganization(system())
        })
        afterAll(() => closing.reactivate())
      }

      test('answers as declared, to the client that is generated from the documents', async () => {
        if (requiredIn(endpoint).length > 0) expect(samples).toHaveProperty(endpoint.name)
        const file = new File([picture.content], picture.name, picture)
        const answer = await callByGeneratedClient(
          await callerOf(endpoint),
          endpoint,
          await sampleOf(endpoint),
          file,
        )

        expect(faultsIn(endpoint, answer)).toEqual([])
        if (switchedOff.includes(endpoint.name)) return expect(answer).toMatchObject(refusal('BAD_REQUEST'))
        expect(answer.status).toBe(endpoint.answer === 'redirect' ? 302 : 200)
        expect(endpoint.response.safeParse(answer.body).error?.issues ?? []).toEqual([])
      })

      if (endpoint.auth !== 'public') {
        test('rejects missing and wrong credentials', async () => {
          const { baseUrl, anonymous, owner } = system()
          const claiming = (email: string, apiKey: string) =>
            new ApiClient(baseUrl, { userId: 0, email, apiKey })
          const sample = await sampleOf(endpoint)
          for (const client of [
            anonymous,
            claiming(owner.email, 'w'.repeat(32)),
            claiming(owner.email, ''),
            claiming('nobody@example.com', owner.account?.apiKey ?? ''),
          ])
            expect(await ask(client, endpoint, sample)).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
        })
      }

      if (endpoint.auth === 'administrator' || endpoint.auth === 'owner') {
        test('rejects members', async () => {
          expect(await ask(member, endpoint, await sampleOf(endpoint))).toMatchObject(
            refusal('UNAUTHORIZED_PRINCIPAL'),
          )
        })
      }

      const required = Object.entries(endpoint.parameters).filter(([, parameter]) => parameter.required)
      if (required.length > 0) {
        test('names the missing parameter', async () => {
          for (const [name] of required) {
            const { [name]: _, ...others } = await sampleOf(endpoint)

            expect(
              await ask(isForBots(endpoint.name) ? sampleBot : system().owner, endpoint, others),
            ).toMatchObject(refusal('REQUEST_VARIABLE_MISSING', { var_name: name }))
          }
        })
      }

      const names = [
        ...Object.keys(endpoint.pathParameters),
        ...Object.entries(endpoint.parameters).flatMap(([name, { aliases }]) => [name, ...aliases]),
      ]
      if (names.length > 0) {
        test('accepts or rejects any JSON input', async () => {
          const caller = isForBots(endpoint.name) ? sampleBot : system().owner
          const sample = await sampleOf(endpoint)
          const values = endpoint.method === 'GET' ? NASTY : [...NASTY, ...LARGE]
          const attempts = names
            .flatMap((name) => values.map((value) => ({ name, value })))
            // Without the segment it is the path of another endpoint, and a URL cannot be so large.
            .filter(
              ({ name, value }) =>
                !(name in endpoint.pathParameters) || (value !== '' && NASTY.includes(value)),
            )
          const faults: string[] = []
          const work = async () => {
            for (let attempt = attempts.pop(); attempt; attempt = attempts.pop()) {
              const { name, value } = attempt
              const answer = await ask(caller, endpoint, { ...sample, [name]: value })
              const found = faultsIn(endpoint, answer)
              if (answer.status === 200 && !endpoint.response.safeParse(answer.body).success)
                found.push('not as declared')
              faults.push(...found.map((fault) => `${name}=${value.slice(0, 40)}: ${fault}`))
            }
          }
          await Promise.all(Array.from({ length: AT_ONCE }, work))

          expect(faults).toEqual([])
          // Settings have thousands of combinations.
        }, 120_000)
      }
    },
  )
}
