import { type internal, wants } from '@tms/contracts'
import { type InternalHandler, readWithSnapshot } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findInvisibleIds } from '../kernel/guest-visibility/visible-users.ts'
import { readerOf } from '../kernel/spectators/reader.ts'
import { spectatorUserRecord } from '../kernel/spectators/shown-user.rules.ts'
import {
  findMaxWebPublicId,
  hasWebPublicChannel,
  listUsersInWebPublicChannels,
  listWebPublicChannels,
} from './spectator.queries.ts'

/**
 * Number of messages in which users are searched: a search through all messages would take longer the more there
 * are, and each message names its own sender.
 */
const MAX_MESSAGES = 1_000

const NOTHING_UNREAD = {
  ...{ count: 0, pms: [], streams: [], huddles: [], mentions: [] },
  old_unreads_missing: false,
}

/** Returns the part of the register state for spectators that messaging owns, from one snapshot. */
export const handleMessagingSpectatorState: InternalHandler<
  typeof internal.messaging.messagingSpectatorState,
  Context
> = async (body, context) => {
  const { result } = await readWithSnapshot(context.db, async (tx) => ({
    channels: await listWebPublicChannels(tx, body.realm_id),
    maxMessageId: await findMaxWebPublicId(tx, body.realm_id),
    userIds: wants(body, 'realm_user')
      ? await listUsersInWebPublicChannels(tx, body.realm_id, MAX_MESSAGES)
      : [],
  }))
  if (result.channels.length === 0) return { has_channels: false, state: {} }

  // The creator of a channel need not have written in it.
  const streams = result.channels.map((channel) => ({ ...channel, creator_id: null }))
  const state: Record<string, unknown> = {}
  if (wants(body, 'stream')) state['streams'] = streams
  if (wants(body, 'subscription')) state['never_subscribed'] = streams
  if (wants(body, 'message')) {
    state['max_message_id'] = result.maxMessageId
    if (wants(body, 'update_message_flags')) state['unread_msgs'] = NOTHING_UNREAD
  }
  if (wants(body, 'realm_user')) Object.assign(state, await showUsers(context, body.realm_id, result.userIds))
  return { has_channels: true, state }
}

/** Records of users; deactivated ones are among the others, since their activity is not public. */
async function showUsers(
  { db, projections }: Pick<Context, 'db' | 'projections'>,
  realmId: number,
  userIds: readonly number[],
): Promise<Record<string, unknown>> {
  const realm = await projections.getRealm(realmId)
  const found = [...(await projections.findUsersByIds(realmId, userIds)).values()]
  const unknown = await findInvisibleIds(db, realm, readerOf({ userId: null, realmId }), found)
  const users = found
    .filter(({ user_id }) => !unknown.has(user_id))
    .sort((one, other) => one.user_id - other.user_id)
  const recordsOf = (isSystem: boolean) =>
    users
      .filter(({ is_system_bot }) => is_system_bot === isSystem)
      .map((user) => spectatorUserRecord(user, realm))
  return { realm_users: recordsOf(false), realm_non_active_users: [], cross_realm_bots: recordsOf(true) }
}

/** Whether an organization has a web-public channel. */
export const handleFindWebPublicChannel: InternalHandler<
  typeof internal.messaging.findWebPublicChannel,
  Context
> = async ({ realm_id }, { db }) => ({ exists: await hasWebPublicChannel(db, realm_id) })
