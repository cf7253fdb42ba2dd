import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeFlags } from './change-flags.ts'
import { parseEditableFlag, uniqueIds } from './flag.rules.ts'

/** Adds or removes a flag on messages. The event contains only messages whose flag changed. */
export const handleUpdateMessageFlags: Handler<
  typeof endpoints.messaging.updateMessageFlags,
  Context
> = async ({ input, caller, context, requestId }) => {
  const flag = parseEditableFlag(input.flag)
  const messageIds = uniqueIds(input.messages)
  const { ignoredChannelIds } = await changeFlags(context, caller, requestId, {
    flag,
    op: input.op,
    messageIds,
  })
  return { messages: input.messages, ignored_because_not_subscribed_channels: ignoredChannelIds }
}
