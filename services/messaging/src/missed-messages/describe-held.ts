import type { PushNotice } from '@tms/contracts'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
import { describePushes, readPushContents } from './describe-pushes.ts'
import type { WaitingNotice } from './push-notice.queries.ts'

/** Messages that are tried as the one that a notice shows: the newest may have been emptied. */
const MAX_TRIES = 10

/** What is to be handed over of notices that were held, and which messages that puts on devices. */
interface DescribedHeld {
  readonly notice: PushNotice
  readonly messageIds: readonly number[]
}

/**
 * One notice for all that was held for a user, as the user sees the messages now; null if nothing of it is unread and
 * visible. It shows the newest message, and says how many there are if it isn't the only one. Its ID follows from the
 * held notices alone, so that users recognizes it if it is handed over again.
 */
export async function describeHeld(
  context: Context,
  held: readonly WaitingNotice[],
  onDevices: ReadonlySet<number>,
  write: (html: string) => string,
): Promise<DescribedHeld | null> {
  const [first] = held.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (first === undefined) return null
  const { realmId, userId } = first
  const { role } = await context.projections.getUser(userId)
  const viewer = { realmId, userId, role }
  const byMessage = new Map(held.map((notice) => [notice.messageIds[0] ?? 0, notice]))
  const missed = (await listMessageViews(context.db, viewer, [...byMessage.keys()], {})).filter(
    (view) => !view.isRead && canSeeMessage(viewer, view) && !onDevices.has(view.id),
  )
  const contentsOf = (notices: readonly WaitingNotice[]) =>
    readPushContents(context.db, notices, new Map([[userId, onDevices]]))
  for (const { id } of missed.toReversed().slice(0, MAX_TRIES)) {
    const shown = byMessage.get(id)
    const [notice] = shown ? await describePushes(context, [shown], await contentsOf([shown]), write) : []
    if (notice === undefined) continue
    const conversations = new Set(
      missed.map(({ recipientId, topic }) => `${recipientId} ${topic.toLowerCase()}`),
    )
    return {
      messageIds: missed.map((view) => view.id),
      notice: {
        ...notice,
        notice_id: first.id,
        unread_count: onDevices.size + missed.length,
        ...(missed.length > 1 && {
          waiting: { messages: missed.length, conversations: conversations.size },
        }),
      },
    }
  }
  return null
}
