import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { arrangePage, checkAnchorPosition, clampPageSize, parseAnchor } from '../narrow/anchor.rules.ts'
import { findPage } from '../narrow/find-page.ts'
import { parseNarrow } from '../narrow/narrow.rules.ts'
import { resolveNarrow } from '../narrow/resolve-narrow.ts'
import { changeFlags } from './change-flags.ts'
import { parseEditableFlag } from './flag.rules.ts'

/** Adds or removes a flag on the messages of a narrow that fetching around the same anchor would return. */
export const handleUpdateFlagsForNarrow: Handler<
  typeof endpoints.messaging.updateFlagsForNarrow,
  Context
> = async ({ input, caller, context, requestId }) => {
  const flag = parseEditableFlag(input.flag)
  const requestedAnchor = parseAnchor(input.anchor, false)
  const size = clampPageSize({
    numBefore: input.num_before,
    numAfter: input.num_after,
    includeAnchor: input.include_anchor ?? true,
  })
  checkAnchorPosition(size)
  const narrow = await resolveNarrow(context, caller, parseNarrow(input.narrow))
  const { anchor, found } = await findPage(context, caller, narrow, requestedAnchor, size)
  const page = arrangePage(found, anchor, size)
  const changed =
    page.ids.length === 0
      ? { messages: [], ignoredChannelIds: [] }
      : await changeFlags(context, caller, requestId, { flag, op: input.op, messageIds: page.ids })
  return {
    processed_count: page.ids.length,
    updated_count: changed.messages.length,
    first_processed_id: page.ids[0] ?? null,
    last_processed_id: page.ids.at(-1) ?? null,
    found_oldest: page.foundOldest,
    found_newest: page.foundNewest,
    ignored_because_not_subscribed_channels: changed.ignoredChannelIds,
  }
}
