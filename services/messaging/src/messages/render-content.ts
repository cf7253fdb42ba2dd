import { badRequest, limits } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { listMeasuredPictures } from '../attachments/list-measured-pictures.ts'
import { isWithinLimit } from '../kernel/access/channel-limit.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findInvisibleIds } from '../kernel/guest-visibility/visible-users.ts'
import {
  createMentionLookup,
  type LinkableChannel,
  type StartedTopic,
} from '../kernel/rendering/mention-lookup.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { customEmojiOf, renderingSettingsOf } from '../kernel/rendering/rendering-settings.ts'
import { findReferences, type References } from '../rendering/find-references.ts'
import { listLinkableChannels, listStartedTopics } from './linkable-channels.queries.ts'

/** Maximum length of HTML, in code units. */
export const MAX_HTML_LENGTH = 100 * limits.maxMessageLength

/**
 * Renders a normalized text with the permissions of its author, and looks up the users and channels that it refers
 * to. A text without references costs no query. Throws BAD_REQUEST if the HTML is far longer than the text, or
 * rendering takes longer than 5 s or too much memory; SERVICE_UNAVAILABLE while too much is being rendered.
 */
export async function renderContent(
  { db, projections, renderer }: Pick<Context, 'db' | 'projections' | 'renderer'>,
  author: Pick<Caller, 'realmId' | 'userId' | 'role' | 'channelIds'>,
  content: string,
): Promise<Rendered> {
  const { userNames, userIds, channelNames, topics, groupNames, emojiNames, uploadPathIds } =
    findReferences(content)
  const [realm, user, byName, byId, linkable, groups, pictures] = await Promise.all([
    projections.getRealm(author.realmId),
    projections.getUser(author.userId),
    userNames.length > 0 ? projections.findUsersByNames(author.realmId, userNames) : [],
    // From the projection only: a text may name any number of users, and rendering must not wait for another
    // service.
    userIds.length > 0 ? projections.listProjectedUsers(userIds) : [],
    channelNames.length > 0 ? listLinkableChannels(db, author, channelNames) : [],
    projections.findGroupsByNames(author.realmId, groupNames),
    listMeasuredPictures(db, author, uploadPathIds),
  ])
  const channels = linkable.filter(({ channelId }) => isWithinLimit(author, channelId))
  const mentionable = [...byName, ...byId].filter((one) => one.realm_id === author.realmId)
  const unknown = await findInvisibleIds(db, realm, author, mentionable)
  const users = new Map(
    mentionable
      .filter(({ user_id }) => !unknown.has(user_id))
      .map((user) => [
        user.user_id,
        { userId: user.user_id, fullName: user.full_name, isActive: user.is_active },
      ]),
  )
  // Bots share the turns of their owner.
  const rendered = await renderer.render(user.bot_owner_id ?? user.user_id, {
    content,
    lookup: createMentionLookup({
      users: [...users.values()],
      channels,
      topics: await listLinkedTopics(db, author, topics, channels),
      groups,
      customEmoji: customEmojiOf(realm, emojiNames),
      pictures,
    }),
    settings: renderingSettingsOf(realm, user),
  })
  if (rendered === null || rendered.html.length > MAX_HTML_LENGTH)
    throw badRequest('Unable to render message')
  return rendered
}

/** The topics that a text links to, with the oldest message of each that its author sees. */
async function listLinkedTopics(
  db: Context['db'],
  author: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  topics: References['topics'],
  channels: readonly LinkableChannel[],
): Promise<StartedTopic[]> {
  const ids = new Map(channels.map(({ name, channelId }) => [name, channelId]))
  const linked = topics.flatMap(({ channelName, topic }) => {
    const channelId = ids.get(channelName)
    return channelId === undefined ? [] : [{ channelId, topic }]
  })
  return linked.length > 0 ? listStartedTopics(db, author, linked) : []
}
