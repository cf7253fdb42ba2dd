import { badRequest, limits } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { listMeasuredPictures } from '../attachments/list-measured-pictures.ts'
import type { Context } from '../context.ts'
import { listKnownUsers } from '../directory/projection.queries.ts'
import { findUnknown } from '../guest-visibility/unknown-users.ts'
import { createDirectory } from '../rendering/directory.ts'
import { findReferences } from '../rendering/find-references.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { listLinkableChannels } from './linkable-channels.queries.ts'
import { customEmojiOf, renderingSettingsOf } from './rendering-settings.ts'

/** HTML of more code units than this is refused. */
export const MAX_HTML_LENGTH = 100 * limits.maxMessageLength

/**
 * Renders a normalized text as its author would, looking up whom and what it refers to. A text without
 * references costs no query. Throws BAD_REQUEST when the HTML gets far longer than the text, and when rendering
 * takes longer than 5 s or too much memory; SERVICE_UNAVAILABLE when there is too much to render, which passes.
 */
export async function renderContent(
  { db, directory, renderer }: Pick<Context, 'db' | 'directory' | 'renderer'>,
  author: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  content: string,
): Promise<Rendered> {
  const { userNames, userIds, channelNames, groupNames, emojiNames, uploadPathIds } = findReferences(content)
  const [realm, user, byName, byId, channels, groups, pictures] = await Promise.all([
    directory.getRealm(author.realmId),
    directory.getUser(author.userId),
    userNames.length > 0 ? directory.findUsersByNames(author.realmId, userNames) : [],
    // From the projection only: a text may name any number, and rendering must not wait for another service.
    userIds.length > 0 ? listKnownUsers(db, userIds) : [],
    channelNames.length > 0 ? listLinkableChannels(db, author, channelNames) : [],
    directory.findGroupsByNames(author.realmId, groupNames),
    listMeasuredPictures(db, author, uploadPathIds),
  ])
  const mentionable = [...byName, ...byId].filter((one) => one.realm_id === author.realmId)
  const unknown = await findUnknown(db, realm, author, mentionable)
  const users = new Map(
    mentionable
      .filter(({ user_id }) => !unknown.has(user_id))
      .map((user) => [
        user.user_id,
        { userId: user.user_id, fullName: user.full_name, isActive: user.is_active },
      ]),
  )
  // Whoever has many bots has no more turns than others.
  const rendered = await renderer.render(user.bot_owner_id ?? user.user_id, {
    content,
    directory: createDirectory({
      users: [...users.values()],
      channels,
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
