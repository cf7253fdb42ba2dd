import { internal } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { ChannelIds, ChannelNames } from './bot.queries.ts'
import type { BotWithChannels } from './default-channel.queries.ts'

const NO_NAMES: ChannelNames = { defaultSendingStream: null, defaultEventsRegisterStream: null }

/** Channels, and for whose eyes they are named. */
type Unnamed = Pick<BotWithChannels, 'realmId' | 'owner'> & ChannelIds

/**
 * What the default channels of bots are called now, as the owner of each sees them. Throws SERVICE_UNAVAILABLE while
 * nobody can tell.
 */
export async function nameChannels(
  { call }: Pick<Context, 'call'>,
  bots: readonly Unnamed[],
  options: { readonly timeoutMs?: number } = {},
): Promise<ChannelNames[]> {
  const asked = bots.flatMap((bot) => [
    ...askedOf(bot, bot.defaultSendingStreamId),
    ...askedOf(bot, bot.defaultEventsRegisterStreamId),
  ])
  const { names } =
    asked.length === 0 ? { names: [] } : await call(internal.messaging.nameChannels, { asked }, options)
  const answers = names.values()
  const nameOf = (bot: Unnamed, id: number | null): string | null =>
    askedOf(bot, id).length === 0 ? null : (answers.next().value ?? null)
  return bots.map((bot) => ({
    defaultSendingStream: nameOf(bot, bot.defaultSendingStreamId),
    defaultEventsRegisterStream: nameOf(bot, bot.defaultEventsRegisterStreamId),
  }))
}

/** The same of one bot. */
export async function nameChannelsOf(context: Pick<Context, 'call'>, bot: Unnamed): Promise<ChannelNames> {
  const [names = NO_NAMES] = await nameChannels(context, [bot])
  return names
}

/** Nothing to ask where there is no channel, or nobody who sees it. */
function askedOf({ realmId, owner }: Unnamed, stream_id: number | null) {
  if (stream_id === null || owner === null) return []
  return [{ realm_id: realmId, user_id: owner.id, role: owner.role, stream_id }]
}

/** Whether two bots' channels are called the same. */
export const isNamedAlike = (one: ChannelNames, other: ChannelNames): boolean =>
  one.defaultSendingStream === other.defaultSendingStream &&
  one.defaultEventsRegisterStream === other.defaultEventsRegisterStream
