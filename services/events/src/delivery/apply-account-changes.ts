import { domainEvents, type LogEntry, type PayloadOf, type QueueRecord } from '@tms/contracts'
import { isInState, type QueueState } from '../kernel/queue-state.ts'
import { type ApplyContext, closeQueue } from './changes.ts'

const { userUpdated } = domainEvents.users
const { channelVisibilityChanged } = domainEvents.messaging

/**
 * Updates the roles in queue records before the entry itself is delivered, so that the new role decides who receives it. Ends
 * the queues of deactivated users, and those of a bot that changes owner, because the pending events were for the former
 * owner. Skips queues whose state already contains the change.
 */
export function applyAccountChanges(entry: LogEntry, context: ApplyContext): void {
  switch (entry.event) {
    case userUpdated.name: {
      const { user_id, changes } = entry.payload as PayloadOf<typeof userUpdated>
      for (const queue of context.queues.ofUser(user_id)) {
        if (isInState(entry, queue)) continue
        for (const change of changes) {
          if (change.kind === 'role') updateRecord(queue, { role: change.role }, context)
          const endsQueues =
            (change.kind === 'is_active' && !change.is_active) || change.kind === 'bot_owner_id'
          if (endsQueues) closeQueue(queue.record.queue_id, context)
        }
      }
      return
    }
    case channelVisibilityChanged.name: {
      const { user_id, role } = entry.payload as PayloadOf<typeof channelVisibilityChanged>
      for (const queue of context.queues.ofUser(user_id)) {
        if (!isInState(entry, queue)) updateRecord(queue, { channel_role: role }, context)
      }
    }
  }
}

function updateRecord(
  queue: QueueState,
  change: Partial<Pick<QueueRecord, 'role' | 'channel_role'>>,
  { changes }: ApplyContext,
): void {
  queue.record = { ...queue.record, ...change }
  changes.updatedQueues.add(queue)
}
