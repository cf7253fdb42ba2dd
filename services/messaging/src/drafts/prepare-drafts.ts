import { badRequest, type DraftRecord, type NewDraft } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canAccessChannel } from '../kernel/access/channel.rules.ts'
import { listChannelsByIds } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'
import { normalizeDraft } from './draft.rules.ts'

/** Throws BAD_REQUEST unless the caller synchronizes drafts. */
export async function checkDraftSyncEnabled({ projections }: Context, { userId }: Caller): Promise<void> {
  const { settings } = await projections.getUser(userId)
  if (!settings.enable_drafts_synchronization) throw draftSyncDisabledError()
}

/** The error for a user who doesn't synchronize drafts. */
export function draftSyncDisabledError(): Error {
  return badRequest('User has disabled synchronizing drafts.')
}

/** Normalizes drafts. Throws BAD_REQUEST if one is to a channel or user that the caller may not write to. */
export async function prepareDrafts(
  context: Context,
  caller: Caller,
  drafts: readonly NewDraft[],
): Promise<Omit<DraftRecord, 'id'>[]> {
  const by = { userId: caller.userId, now: context.now() }
  const normalized = drafts.map((draft) => normalizeDraft(draft, by))
  const addressees = (type: DraftRecord['type']) => [
    ...new Set(normalized.filter((draft) => draft.type === type).flatMap(({ to }) => to)),
  ]
  await checkChannels(context, caller, addressees('stream'))
  await checkUsers(context, caller, addressees('private'))
  return normalized
}

async function checkChannels({ db }: Context, caller: Caller, channelIds: readonly number[]): Promise<void> {
  if (channelIds.length === 0) return
  const channels = new Map(
    (await listChannelsByIds(db, caller.realmId, channelIds)).map((one) => [one.id, one]),
  )
  const memberships = await listMemberships(db, caller.userId, channelIds)
  for (const channelId of channelIds) {
    const channel = channels.get(channelId)
    if (!channel || !canAccessChannel(caller, channel, memberships.get(channelId) ?? null)) {
      throw badRequest('Invalid channel ID')
    }
  }
}

async function checkUsers(context: Context, caller: Caller, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const found = await findVisibleByIds(context, caller, userIds)
  const unknown = userIds.find((userId) => !found.has(userId))
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`)
}
