import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import { isInState } from '../kernel/queue-state.ts'
import { type ApplyContext, closeQueue } from './changes.ts'

const { guestVisibilityChanged, guestRestrictionChanged } = domainEvents.users

/**
 * Updates the visible users of guests' queues before the entry itself is delivered. If the restriction of a guest's visibility
 * is switched on or off, the guest's queues end. Skips queues whose state already contains the change.
 */
export function applyGuestVisibility(entry: LogEntry, context: ApplyContext): void {
  switch (entry.event) {
    case guestVisibilityChanged.name:
      changeVisibleUsers(entry, context)
      return
    case guestRestrictionChanged.name: {
      const { user_ids } = entry.payload as PayloadOf<typeof guestRestrictionChanged>
      for (const userId of user_ids) {
        for (const queue of context.queues.ofUser(userId)) {
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
      const setVisible = (userId: number, isVisible: boolean) => {
        if (isVisible) visibleUserIds.add(userId)
        else visibleUserIds.delete(userId)
        changes.visibility.push({ queueId: queue.record.queue_id, userId, isVisible })
      }
      for (const { user } of gained) setVisible(user.user_id, true)
      for (const userId of lost_user_ids) setVisible(userId, false)
    }
  }
}
