import { badRequest, limits } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listKnownUsers } from '../directory/projection.queries.ts'
import { createDirectory } from '../rendering/directory.ts'
import { findReferences } from '../rendering/find-references.ts'
import { type Rendered, renderMarkdown } from '../rendering/render-markdown.ts'
import { listLinkableChannels } from './linkable-channels.queries.ts'

/** HTML of more code units than this is refused. */
const MAX_HTML_LENGTH = 100 * limits.maxMessageLength

/**
 * Renders a normalized text as its author would, looking up whom and what it refers to. A text without
 * references costs no query. Throws BAD_REQUEST when the HTML gets far longer than the text.
 */
export async function renderContent(
  { db, directory }: Pick<Context, 'db' | 'directory'>,
  author: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  content: string,
): Promise<Rendered> {
  const { userNames, userIds, channelNames } = findReferences(content)
  const [byName, byId, channels] = await Promise.all([
    userNames.length > 0 ? directory.findUsersByNames(author.realmId, userNames) : [],
    // From the projection only: a text may name any number, and rendering must not wait for another service.
    userIds.length > 0 ? listKnownUsers(db, userIds) : [],
    channelNames.length > 0 ? listLinkableChannels(db, author, channelNames) : [],
  ])
  const users = new Map(
    [...byName, ...byId]
      .filter((user) => user.realm_id === author.realmId)
      .map((user) => [
        user.user_id,
        { userId: user.user_id, fullName: user.full_name, isActive: user.is_active },
      ]),
  )
  const rendered = renderMarkdown(content, createDirectory({ users: [...users.values()], channels }))
  if (rendered.html.length > MAX_HTML_LENGTH) throw badRequest('Unable to render message')
  return rendered
}
