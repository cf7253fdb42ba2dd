import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findBotDetails } from '../kernel/bots/bot.queries.ts'
import type { Context } from '../kernel/context.ts'

const NONE = { sending_stream_id: null, events_register_stream_id: null, all_public_streams: false }

/**
 * What a bot's requests mean when they leave out channels. A channel without a name for the bot's owner counts as
 * none.
 */
export const handleGetBotDefaults: InternalHandler<typeof internal.users.getBotDefaults, Context> = async (
  { user_id },
  { db },
) => {
  const details = await findBotDetails(db, user_id)
  if (!details) return NONE
  const { defaultSendingStream, defaultEventsRegisterStream } = details
  return {
    sending_stream_id: defaultSendingStream === null ? null : details.defaultSendingStreamId,
    events_register_stream_id:
      defaultEventsRegisterStream === null ? null : details.defaultEventsRegisterStreamId,
    all_public_streams: details.defaultAllPublicStreams,
  }
}
