import { BotType } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Directory, KnownUser } from '../directory/directory.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { listWebhooksAmong } from './known-webhook.queries.ts'

/**
 * Whether a message to someone has a webhook called. Facts that were kept before they said of what type a bot is
 * may be an outgoing webhook's: users, which is asked for its URL, knows.
 */
export function isCalled({ is_bot, is_active, is_system_bot, bot_type }: KnownUser): boolean {
  if (!is_bot || !is_active || is_system_bot) return false
  return bot_type === undefined || bot_type === BotType.outgoingWebhook
}

/**
 * The outgoing webhooks that a message to a channel mentions, by name or in a group; `mentionedUserIds` are everyone whom
 * it mentions. What bots write calls none, so that two of them can't keep each other busy. Costs nothing without a
 * mention.
 */
export async function findMentionedWebhooks(
  { db, directory }: { readonly db: Queryable; readonly directory: Pick<Directory, 'findUsersByIds'> },
  sender: KnownUser,
  { mentionedUserIds: namedIds, mentionedGroupIds }: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>,
  mentionedUserIds: readonly number[],
): Promise<number[]> {
  if (sender.is_bot || mentionedUserIds.length === 0) return []
  const named = await directory.findUsersByIds(sender.realm_id, namedIds)
  const called = [...named.values()].filter(isCalled)
  const inGroups = mentionedGroupIds.length === 0 ? [] : await listWebhooksAmong(db, mentionedUserIds)
  return [...new Set([...called.map(({ user_id }) => user_id), ...inGroups])]
}
