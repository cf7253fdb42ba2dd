import { internal } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../context.ts'

interface Asked {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
}

/** Throws BAD_REQUEST for a channel that the caller can't know of, and SERVICE_UNAVAILABLE while nobody can tell. */
export async function checkDefaultChannels(
  { call }: Pick<Context, 'call'>,
  { realmId, userId, role }: Caller,
  { default_sending_stream, default_events_register_stream }: Asked,
  requestId: string,
): Promise<void> {
  const stream_names = [default_sending_stream, default_events_register_stream].filter(
    (name): name is string => name !== undefined && name !== '',
  )
  if (stream_names.length === 0) return
  const body = { realm_id: realmId, user_id: userId, role, stream_ids: [], stream_names }
  await call(internal.messaging.checkChannels, body, { requestId })
}
