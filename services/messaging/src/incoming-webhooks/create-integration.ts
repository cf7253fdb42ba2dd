import type { endpoints, internal } from '@tms/contracts'
import type { Handler, InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { setUpIntegration } from './set-up-integration.ts'

/** Sets up an integration for the caller, who owns its bot. Throws as `setUpIntegration`. */
export const handleCreateIntegration: Handler<
  typeof endpoints.messaging.createIntegration,
  Context
> = async ({ input, caller, context, requestId }) =>
  setUpIntegration(context, caller, {
    integration: input.integration,
    channel: input.stream || null,
    topic: input.topic || null,
    botName: input.bot_name || null,
    requestId,
  })

/** Sets up an integration for an operator. Throws as `setUpIntegration`. */
export const handleSetUpIntegration: InternalHandler<
  typeof internal.messaging.setUpIntegration,
  Context
> = async ({ realm_id, user_id, role, integration, channel, topic, bot_name }, context, requestId) =>
  setUpIntegration(
    context,
    { userId: user_id, realmId: realm_id, role, isBot: false },
    { integration, channel, topic, botName: bot_name, requestId },
  )
