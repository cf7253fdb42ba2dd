import { badRequest, type DraftRecord, type NewDraft } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { listChannelsByIds } from '../channels/channel.queries.ts'
import { canAccessChannel } from '../channels/channel.rules.ts'
import type { Context } from '../context.ts'
import { findSeenByIds } from '../guest-visibility/unknown-users.ts'
import { listMemberships } from '../subscriptions/subscription.queries.ts'
import { normalizeDraft } from './draft.rules.ts'

/** Throws BAD_REQUEST unless the caller keeps drafts on the server. */
export async function checkSynchronizing({ directory }: Context, { userId }: Caller): Promise<void> {
  const { settings } = await directory.getUser(userId)
  if (!settings.enable_drafts_synchronization) throw notSynchronizing()
}

/** The refusal of drafts of someone who keeps them to themselves. */
export function notSynchronizing(): Error {
  return badRequest('User has disabled synchronizing drafts.')
}

/** Drafts as they are stored. Throws BAD_REQUEST for one to a channel or user that the caller can't write to. */
export async function checkDrafts(
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
  const found = await findSeenByIds(context, caller, userIds)
  const unknown = userIds.find((userId) => !found.has(userId))
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`)
}
