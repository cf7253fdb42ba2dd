import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestOrganization, type TestSystem } from '@tms/test-kit'
import { keyIn, mailedKey } from '../support/account-pages.ts'
import { groupOf } from '../support/groups.ts'
import { invitationTo, newLink } from '../support/invitations.ts'
import { onePixel } from '../support/pictures.ts'
import { until } from '../support/until.ts'
import { newUsers, secondsFromNow, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

/** The names of an organization's objects, as texts: everything that a client can name. */
export interface Names {
  readonly user: string
  readonly email: string
  readonly bot: string
  readonly channel: string
  readonly channelName: string
  readonly privateChannel: string
  readonly topic: string
  readonly message: string
  readonly privateMessage: string
  readonly directMessage: string
  readonly filePath: string
  readonly temporaryToken: string
  readonly attachment: string
  readonly draft: string
  readonly savedSnippet: string
  readonly apiToken: string
  readonly scheduledMessage: string
  readonly linkifier: string
  readonly playground: string
  readonly export: string
  readonly exportToken: string
  readonly domain: string
  readonly iconPicture: string
  readonly profileField: string
  readonly emojiName: string
  readonly emojiId: string
  readonly emojiPicture: string
  readonly avatarPicture: string
  readonly group: string
  readonly invitation: string
  readonly link: string
  readonly linkKey: string
  readonly resetKey: string
  readonly signUpKey: string
  readonly newEmailKey: string
  readonly unsubscribeKey: string
  readonly deviceToken: string
  readonly device: string
  readonly clientDevice: string
  readonly queue: string
}

/** Fills an organization with one of each object; texts that only its users may see contain the mark. */
export async function fill(
  system: TestSystem,
  organization: TestOrganization,
  mark: string,
): Promise<{ names: Names; member: ApiClient }> {
  const { owner } = organization
  const [member] = await newUsers(
    { ...system, ...organization, createUser: () => organization.createUser(`${mark} member`) },
    1,
  )
  if (!member) throw new Error('no user was created')
  const channelName = `${mark} channel`
  const topic = `${mark} topic`
  const subscribe = (name: string, isPrivate: boolean) =>
    owner.call(endpoints.messaging.subscribe, {
      subscriptions: [{ name, description: `${mark} description` }],
      principals: [owner.userId, member.userId],
      invite_only: isPrivate,
    })
  await subscribe(channelName, false)
  await subscribe(`${mark} secrets`, true)
  const idOf = async (stream: string) =>
    (await owner.call(endpoints.messaging.getChannelId, { stream })).stream_id
  const channel = await idOf(channelName)
  const privateChannel = await idOf(`${mark} secrets`)

  const filePath = await upload(owner, `${mark}.txt`)
  const message = await sendToChannel(owner, channel, `${mark} [file](${filePath})`, topic)
  const privateMessage = await sendToChannel(owner, privateChannel, `${mark} secret`, topic)
  const directMessage = await sendDirectly(owner, [member], `${mark} whisper`)
  const { attachments } = await owner.call(endpoints.messaging.listAttachments, {})
  const { saved_snippet_id } = await member.call(endpoints.users.createSavedSnippet, {
    title: `${mark} snippet`,
    content: 'x',
  })
  const { api_token } = await member.call(endpoints.users.createApiToken, {
    name: `${mark} token`,
    scopes: ['read'],
  })
  const { ids: drafts } = await member.call(endpoints.messaging.createDrafts, {
    drafts: [{ type: 'stream', to: [channel], topic, content: `${mark} draft` }],
  })
  const { scheduled_message_id } = await member.call(endpoints.messaging.createScheduledMessage, {
    type: 'channel',
    to: channel,
    topic,
    content: `${mark} later`,
    scheduled_delivery_timestamp: secondsFromNow(86_400),
  })
  const queue = await registerQueue(member)
  return {
    member,
    names: {
      user: String(member.userId),
      email: member.email,
      channel: String(channel),
      channelName,
      privateChannel: String(privateChannel),
      topic,
      message: String(message),
      privateMessage: String(privateMessage),
      directMessage: String(directMessage),
      filePath,
      temporaryToken: await newTemporaryToken(owner, filePath),
      attachment: String(attachments[0]?.id),
      draft: String(drafts[0]),
      savedSnippet: String(saved_snippet_id),
      apiToken: String(api_token.id),
      scheduledMessage: String(scheduled_message_id),
      queue: queue.queueId,
      ...(await ofAccounts(system, organization, member, mark)),
      ...(await ofOrganization(owner, mark)),
    },
  }
}

/** The token of a temporary URL of an uploaded file; it is valid for a minute. */
export async function newTemporaryToken(client: ApiClient, filePath: string): Promise<string> {
  const { url } = await client.call(endpoints.messaging.getTemporaryUrl, filePartsOf(filePath))
  return url.split('/').at(-2) ?? ''
}

/** The path of an uploaded file, in the segments of an endpoint. */
export function filePartsOf(path: string): { realm_id: number; filename: string } {
  const [, realmId, filename = ''] = /^\/user_uploads\/(\d+)\/(.+)$/.exec(path) ?? []
  return { realm_id: Number(realmId), filename }
}

async function upload(client: ApiClient, name: string): Promise<string> {
  const { body } = await client.upload({ name, content: 'x' })
  return String(body['url'])
}

async function ofAccounts(
  system: TestSystem,
  { owner, anonymous }: TestOrganization,
  member: ApiClient,
  mark: string,
): Promise<
  Pick<
    Names,
    | 'avatarPicture'
    | 'bot'
    | 'device'
    | 'clientDevice'
    | 'deviceToken'
    | 'group'
    | 'invitation'
    | 'link'
    | 'linkKey'
    | 'newEmailKey'
    | 'resetKey'
    | 'signUpKey'
    | 'unsubscribeKey'
  >
> {
  const avatar = await member.uploadTo('/api/v1/users/me/avatar', {
    name: 'a.png',
    content: onePixel,
    type: 'image/png',
  })
  const { user_id: bot } = await owner.call(endpoints.users.createBot, {
    full_name: `${mark} bot`,
    short_name: `${mark}-helper`,
  })
  const name = `${mark} group`
  const members = [owner.userId, member.userId]
  await owner.call(endpoints.users.createUserGroup, { name, description: mark, members })
  const invited = `${mark}.invited@example.com`
  await owner.call(endpoints.users.inviteByEmail, { invitee_emails: invited, stream_ids: [] })
  const link = await newLink(owner)
  const linkKey = keyIn(link.url)

  const open = async (path: string, email: string) =>
    anonymous.request('POST', path, [['email', email]], { prefix: '' })
  await open(`/join/${linkKey}`, `${mark}.new@example.com`)
  await open('/accounts/password/reset', member.email)
  await member.call(endpoints.users.updateSettings, {
    email: `${mark}.other@example.com`,
    email_notifications_batching_period_seconds: 1,
  })
  const deviceToken = `${mark} device`
  await member.call(endpoints.users.addApnsDevice, { token: deviceToken })
  await member.call(endpoints.users.addAndroidDevice, { token: deviceToken })
  const { device_id: clientDevice } = await member.call(endpoints.users.registerClientDevice, {})
  const { push_devices: devices } = await member.call(endpoints.users.listPushDevices, {})
  return {
    avatarPicture: String(avatar.body['avatar_url']).replace(/\?.*/, ''),
    bot: String(bot),
    clientDevice: String(clientDevice),
    device: String(devices[0]?.id),
    deviceToken,
    group: String((await groupOf(owner, name)).id),
    invitation: String((await invitationTo(owner, invited))?.id),
    link: String(link.id),
    linkKey,
    signUpKey: await mailedKey(system, `${mark}.new@example.com`),
    resetKey: await mailedKey(system, member.email, 'assword'),
    newEmailKey: await mailedKey(system, `${mark}.other@example.com`),
    unsubscribeKey: await mailedKey(system, member.email, 'DMs with'),
  }
}

async function ofOrganization(
  owner: ApiClient,
  mark: string,
): Promise<
  Pick<
    Names,
    | 'domain'
    | 'emojiId'
    | 'emojiName'
    | 'emojiPicture'
    | 'export'
    | 'exportToken'
    | 'iconPicture'
    | 'linkifier'
    | 'playground'
    | 'profileField'
  >
> {
  const { id: linkifier } = await owner.call(endpoints.realm.addLinkifier, {
    pattern: `${mark}-(?P<id>[0-9]+)`,
    url_template: 'https://example.com/{id}',
  })
  const { id: playground } = await owner.call(endpoints.realm.addPlayground, {
    name: `${mark} playground`,
    highlighter_language: mark,
    url_template: 'https://example.com/{code}',
  })
  const { startExport, listExports } = endpoints.realm
  const { id: exportId } = await owner.call(startExport, {})
  const findExport = async () => (await owner.call(listExports, {})).exports.find(({ id }) => id === exportId)
  await until(async () => (await findExport())?.pending === false)
  const [, exportToken = ''] =
    /\/realm_exports\/\d+\/([^/]+)\//.exec(String((await findExport())?.export_url)) ?? []
  const domain = `${mark}.example.com`
  await owner.call(endpoints.realm.addEmailDomain, { domain, allow_subdomains: false })
  const icon = await owner.uploadTo('/api/v1/realm/icon', {
    name: 'a.png',
    content: onePixel,
    type: 'image/png',
  })
  const { id: profileField } = await owner.call(endpoints.realm.createProfileField, {
    name: `${mark} field`,
    field_type: 1,
  })
  const emojiName = `${mark}-emoji`
  await owner.uploadTo(`/api/v1/realm/emoji/${emojiName}`, {
    name: 'a.png',
    content: onePixel,
    type: 'image/png',
  })
  const { emoji } = await owner.call(endpoints.realm.listCustomEmoji, {})
  const added = Object.values(emoji).find((one) => one.name === emojiName)
  return {
    linkifier: String(linkifier),
    playground: String(playground),
    export: String(exportId),
    exportToken,
    domain,
    iconPicture: String(icon.body['icon_url']).replace(/\?.*/, ''),
    profileField: String(profileField),
    emojiName,
    emojiId: String(added?.id),
    emojiPicture: String(added?.source_url),
  }
}
