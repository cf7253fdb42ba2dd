import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
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
  const [view] = await listMessageViews(context.db, reader, [input.message_id], texts)
  if (!view || !canSeeMessage(reader, view)) {
    throw reader.isSpectator ? new AppError('UNAUTHORIZED') : badRequest('Invalid message(s)')
  }
  const [message] = await presentMessages(context, reader, [view], {
    applyMarkdown: input.apply_markdown ?? true,
    clientGravatar: false,
  })
  if (!message) throw badRequest('Invalid message(s)')
  return { message, raw_content: view.raw ?? '' }
}
