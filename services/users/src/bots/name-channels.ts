import { internal } from '@tms/contracts'
import type { ChannelIds, ChannelNames } from '../kernel/bots/bot.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { BotWithChannels } from './default-channel.queries.ts'

const NO_NAMES: ChannelNames = { defaultSendingStream: null, defaultEventsRegisterStream: null }

/** Channels whose names are needed, and the owner who must see them. */
type ChannelsToName = Pick<BotWithChannels, 'realmId' | 'owner'> & ChannelIds

/**
 * Current names of bots' default channels, as the owner of each sees them. Throws SERVICE_UNAVAILABLE if messaging
 * doesn't answer.
 */
export async function nameChannels(
  { call }: Pick<Context, 'call'>,
  bots: readonly ChannelsToName[],
  options: { readonly timeoutMs?: number } = {},
): Promise<ChannelNames[]> {
  const requests = bots.flatMap((bot) => [
    ...toNameRequests(bot, bot.defaultSendingStreamId),
    ...toNameRequests(bot, bot.defaultEventsRegisterStreamId),
  ])
  const { names } =
    requests.length === 0
      ? { names: [] }
      : await call(internal.messaging.listChannelNames, { requests }, options)
  const answers = names.values()
  const nameOf = (bot: ChannelsToName, id: number | null): string | null =>
    toNameRequests(bot, id).length === 0 ? null : (answers.next().value ?? null)
  return bots.map((bot) => ({
    defaultSendingStream: nameOf(bot, bot.defaultSendingStreamId),
    defaultEventsRegisterStream: nameOf(bot, bot.defaultEventsRegisterStreamId),
  }))
}

/** The same for one bot. */
export async function nameChannelsOf(
  context: Pick<Context, 'call'>,
  bot: ChannelsToName,
): Promise<ChannelNames> {
  const [names = NO_NAMES] = await nameChannels(context, [bot])
  return names
}

/** Empty if there is no channel or no owner. */
function toNameRequests({ realmId, owner }: ChannelsToName, stream_id: number | null) {
  if (stream_id === null || owner === null) return []
  return [{ realm_id: realmId, user_id: owner.id, role: owner.role, stream_id }]
}

export const hasSameChannelNames = (one: ChannelNames, other: ChannelNames): boolean =>
  one.defaultSendingStream === other.defaultSendingStream &&
  one.defaultEventsRegisterStream === other.defaultEventsRegisterStream
