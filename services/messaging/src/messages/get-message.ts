import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listMessageViews } from './message-view.queries.ts'
import { canSeeMessage } from './message-view.rules.ts'
import { presentMessages, showsHistory } from './present-messages.ts'

/** Fetches one message. One that the caller can't see is BAD_REQUEST, whether it exists or not. */
export const handleGetMessage: Handler<typeof endpoints.messaging.getMessage, Context> = async ({
  input,
  caller,
  context,
}) => {
  const texts = { html: true, raw: true, history: await showsHistory(context, caller) }
  const [view] = await listMessageViews(context.db, caller, [input.message_id], texts)
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  const [message] = await presentMessages(context, caller, [view], {
    applyMarkdown: input.apply_markdown ?? true,
    clientGravatar: false,
  })
  if (!message) throw badRequest('Invalid message(s)')
  return { message, raw_content: view.raw ?? '' }
}
