import { BotType } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { KnownUser, ProjectionReader } from '../projections/projection-reader.ts'
import type { Rendered } from '../rendering/renderer.ts'
import { listWebhooksAmong } from './known-webhook.queries.ts'

/**
 * Whether messages to a user call a webhook. A projection without `bot_type` may belong to an outgoing webhook: users,
 * which is asked for the URL, decides.
 */
export function isOutgoingWebhook({ is_bot, is_active, is_system_bot, bot_type }: KnownUser): boolean {
  if (!is_bot || !is_active || is_system_bot) return false
  return bot_type === undefined || bot_type === BotType.outgoingWebhook
}

/**
 * The outgoing webhooks that a channel message mentions, by name or through a group; `mentionedUserIds` are all
 * mentioned users. Messages of bots call none, so that two bots can't keep each other busy. Costs nothing without a
 * mention.
 */
export async function findMentionedWebhooks(
  {
    db,
    projections,
  }: { readonly db: Queryable; readonly projections: Pick<ProjectionReader, 'findUsersByIds'> },
  sender: KnownUser,
  {
    mentionedUserIds: idsMentionedByName,
    mentionedGroupIds,
  }: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>,
  mentionedUserIds: readonly number[],
): Promise<number[]> {
  if (sender.is_bot || mentionedUserIds.length === 0) return []
  const mentionedByName = await projections.findUsersByIds(sender.realm_id, idsMentionedByName)
  const webhooks = [...mentionedByName.values()].filter(isOutgoingWebhook)
  const inGroups = mentionedGroupIds.length === 0 ? [] : await listWebhooksAmong(db, mentionedUserIds)
  return [...new Set([...webhooks.map(({ user_id }) => user_id), ...inGroups])]
}
