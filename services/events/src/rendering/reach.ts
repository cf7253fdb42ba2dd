import { type domainEvents, type PayloadOf, Role } from '@tms/contracts'
import type { QueueState } from '../partitions/queue-state.ts'

type Reach = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Whether a queue's owner may read messages that have come to a channel. */
export function canFollow(queue: QueueState, { id, invite_only, is_web_public }: Reach): boolean {
  if (is_web_public || queue.channelIds.has(id)) return true
  return !invite_only && queue.record.channel_role <= Role.member
}
