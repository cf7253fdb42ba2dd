import { badRequest, internal } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { ChannelIds, ChannelNames } from './bot.queries.ts'

interface Input {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
}

/** What a request makes of a bot's default channels; what it doesn't name stays. */
export type AskedChannels = Partial<ChannelIds & ChannelNames>

/**
 * The channels that a request names, an empty name being none. Throws BAD_REQUEST for one that the caller can't know
 * of, and SERVICE_UNAVAILABLE while nobody can tell.
 */
export async function findAskedChannels(
  { call }: Pick<Context, 'call'>,
  { realmId, userId, role }: Caller,
  { default_sending_stream: sending, default_events_register_stream: events }: Input,
  requestId: string,
): Promise<AskedChannels> {
  const stream_names = [sending, events].filter((name) => name !== undefined && name !== '') as string[]
  const body = { realm_id: realmId, user_id: userId, role, stream_ids: [], stream_names }
  const { channels } =
    stream_names.length === 0
      ? { channels: [] }
      : await call(internal.messaging.checkChannels, body, { requestId })
  const answers = channels.values()
  const found = (name: string) => (name === '' ? undefined : answers.next().value)
  const asked: { -readonly [Name in keyof AskedChannels]: AskedChannels[Name] } = {}
  if (sending !== undefined) {
    const channel = found(sending)
    asked.defaultSendingStreamId = channel?.stream_id ?? null
    asked.defaultSendingStream = channel?.name ?? null
  }
  if (events !== undefined) {
    const channel = found(events)
    asked.defaultEventsRegisterStreamId = channel?.stream_id ?? null
    asked.defaultEventsRegisterStream = channel?.name ?? null
  }
  return asked
}

/** Throws BAD_REQUEST for a channel that was asked for, and has no name for the bot's owner. */
export function checkOwnerSees(asked: AskedChannels, seen: ChannelNames): void {
  for (const name of ['defaultSendingStream', 'defaultEventsRegisterStream'] as const) {
    if (typeof asked[name] === 'string' && seen[name] === null)
      throw badRequest(`The owner of the bot can not know of channel '${asked[name]}'`)
  }
}
