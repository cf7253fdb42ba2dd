import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findVisibleMessage } from '../kernel/messages/visible-message.ts'
import { readerOf } from '../kernel/spectators/reader.ts'
import { presentMessages, showsHistory } from './present-messages.ts'

/**
 * Fetches one message. For a message that the caller may not see or that doesn't exist, throws BAD_REQUEST, and
 * UNAUTHORIZED to spectators.
 */
export const handleGetMessage: Handler<typeof endpoints.messaging.getMessage, Context> = async ({
  input,
  caller,
  context,
}) => {
  const reader = readerOf(caller)
  const texts = { html: true, raw: true, history: await showsHistory(context, reader) }
  const view = await findVisibleMessage(context.db, reader, input.message_id, {
    texts,
    withArchived: !reader.isSpectator,
  })
  if (!view) {
    throw reader.isSpectator ? new AppError('UNAUTHORIZED') : badRequest('Invalid message(s)')
  }
  const [message] = await presentMessages(context, reader, [view], {
    applyMarkdown: input.apply_markdown ?? true,
    clientGravatar: false,
    knowsEmptyTopics: input.allow_empty_topic_name ?? false,
  })
  if (!message) throw badRequest('Invalid message(s)')
  return { message, raw_content: view.raw ?? '' }
}
