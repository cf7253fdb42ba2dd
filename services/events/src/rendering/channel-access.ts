import { type domainEvents, type PayloadOf, Role } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'

type ChannelAccess = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Whether a queue's owner may read messages that were moved to a channel. */
export function canReadChannel(
  queue: QueueState,
  { id, invite_only, is_web_public }: ChannelAccess,
): boolean {
  if (is_web_public || queue.channelIds.has(id)) return true
  return !invite_only && queue.record.channel_role <= Role.member
}
