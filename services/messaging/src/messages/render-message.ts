import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { normalizeContent } from '../kernel/text/content.rules.ts'
import { renderContent } from './render-content.ts'

/** Renders a text as sending it would. */
export const handleRenderMessage: Handler<typeof endpoints.messaging.renderMessage, Context> = async ({
  input,
  caller,
  context,
}) => {
  if (input.content.trim() === '') return { rendered: '' }
  const { html } = await renderContent(context, caller, normalizeContent(input.content))
  return { rendered: html }
}
