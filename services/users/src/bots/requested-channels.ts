import { badRequest, internal } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { ChannelIds, ChannelNames } from '../kernel/bots/bot.queries.ts'
import type { Context } from '../kernel/context.ts'

interface Input {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
}

/** The default channels that a request sets; fields that it doesn't contain stay. */
export type RequestedChannels = Partial<ChannelIds & ChannelNames>

/**
 * Looks up the channels that a request names; an empty name means none. Throws BAD_REQUEST if the caller can't see
 * one, SERVICE_UNAVAILABLE if messaging doesn't answer.
 */
export async function findRequestedChannels(
  { call }: Pick<Context, 'call'>,
  { realmId, userId, role }: Caller,
  { default_sending_stream: sending, default_events_register_stream: events }: Input,
  requestId: string,
): Promise<RequestedChannels> {
  const stream_names = [sending, events].filter((name) => name !== undefined && name !== '') as string[]
  const body = { realm_id: realmId, user_id: userId, role, stream_ids: [], stream_names }
  const { channels } =
    stream_names.length === 0
      ? { channels: [] }
      : await call(internal.messaging.checkChannels, body, { requestId })
  const answers = channels.values()
  const found = (name: string) => (name === '' ? undefined : answers.next().value)
  const requested: { -readonly [Name in keyof RequestedChannels]: RequestedChannels[Name] } = {}
  if (sending !== undefined) {
    const channel = found(sending)
    requested.defaultSendingStreamId = channel?.stream_id ?? null
    requested.defaultSendingStream = channel?.name ?? null
  }
  if (events !== undefined) {
    const channel = found(events)
    requested.defaultEventsRegisterStreamId = channel?.stream_id ?? null
    requested.defaultEventsRegisterStream = channel?.name ?? null
  }
  return requested
}

/** Throws BAD_REQUEST if the bot's owner can't see a requested channel. */
export function checkOwnerCanSee(requested: RequestedChannels, ownerNames: ChannelNames): void {
  for (const name of ['defaultSendingStream', 'defaultEventsRegisterStream'] as const) {
    if (typeof requested[name] === 'string' && ownerNames[name] === null)
      throw badRequest(`The owner of the bot cannot see channel '${requested[name]}'`)
  }
}
