import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import { type ApplyContext, closeQueue } from './changes.ts'
import { isInState } from './queue-state.ts'

const { guestVisibilityChanged, guestRestrictionChanged } = domainEvents.users

/**
 * Keeps current whom the queues' owners see, before the entry itself is delivered. Where their sight begins or ceases
 * to be limited, their queues end. What a queue's state shows it knows already.
 */
export function applyGuestVisibility(entry: LogEntry, context: ApplyContext): void {
  switch (entry.event) {
    case guestVisibilityChanged.name:
      changeVisibleUsers(entry, context)
      return
    case guestRestrictionChanged.name: {
      const { user_ids } = entry.payload as PayloadOf<typeof guestRestrictionChanged>
      for (const userId of user_ids) {
        for (const queue of [...context.queues.ofUser(userId)]) {
          if (!isInState(entry, queue)) closeQueue(queue.record.queue_id, context)
        }
      }
    }
  }
}

function changeVisibleUsers(entry: LogEntry, { queues, changes }: ApplyContext): void {
  const { guest_ids, gained, lost_user_ids } = entry.payload as PayloadOf<typeof guestVisibilityChanged>
  for (const guestId of guest_ids) {
    for (const queue of queues.ofUser(guestId)) {
      const { visibleUserIds } = queue
      if (visibleUserIds === null || isInState(entry, queue)) continue
      const note = (userId: number, isSeen: boolean) => {
        if (isSeen) visibleUserIds.add(userId)
        else visibleUserIds.delete(userId)
        changes.sights.push({ queueId: queue.record.queue_id, userId, isSeen })
      }
      for (const { user } of gained) note(user.user_id, true)
      for (const userId of lost_user_ids) note(userId, false)
    }
  }
}
