import { domainEvents, type LogEntry, type PayloadOf, type QueueRecord } from '@tms/contracts'
import { type ApplyContext, closeQueue } from './changes.ts'
import { isInState, type QueueState } from './queue-state.ts'

const { userUpdated } = domainEvents.users
const { channelVisibilityChanged } = domainEvents.messaging

/**
 * Keeps current what queues know of their owners, before the entry itself is delivered: it is for the new role to
 * decide what they are told. The queues of who is deactivated end, and those of a bot that has another owner: what waits in
 * them was for the former one. What a queue's state shows it knows already.
 */
export function applyMembership(entry: LogEntry, context: ApplyContext): void {
  switch (entry.event) {
    case userUpdated.name: {
      const { user_id, changes } = entry.payload as PayloadOf<typeof userUpdated>
      for (const queue of [...context.queues.ofUser(user_id)]) {
        if (isInState(entry, queue)) continue
        for (const change of changes) {
          if (change.kind === 'role') restate(queue, { role: change.role }, context)
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
        if (!isInState(entry, queue)) restate(queue, { channel_role: role }, context)
      }
    }
  }
}

function restate(
  queue: QueueState,
  change: Partial<Pick<QueueRecord, 'role' | 'channel_role'>>,
  { changes }: ApplyContext,
): void {
  queue.record = { ...queue.record, ...change }
  changes.restated.add(queue)
}
