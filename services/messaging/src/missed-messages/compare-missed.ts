import type { internal, MissedReference } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews, type MessageView } from '../kernel/messages/message-view.queries.ts'
import { type BatchedMessage, listReferenced } from './batch.queries.ts'
import { MAX_SHOWN } from './conversation.rules.ts'
import { describeConversation, listUnread, type MissedMessageView } from './describe-conversation.ts'

/** Clocks of replicas differ; what is taken for changed is only described again. */
const CLOCK_SECONDS = 10

type Compare = typeof internal.messaging.compareMissedMessages
type Compared = Awaited<ReturnType<InternalHandler<Compare, Context>>>['conversations'][number]

/**
 * Compares mails with what their user would be mailed now. Texts are read only of conversations that are different. A
 * conversation whose messages were moved apart stays one: it is described as that of its newest message.
 */
export const handleCompareMissedMessages: InternalHandler<Compare, Context> = async (
  { realm_id: realmId, user_id: userId, described_at, conversations, wants_content: wantsContent },
  context,
) => {
  const { role } = await context.projections.getUser(userId)
  const viewer = { realmId, userId, role }
  const referenced = await listReferenced(
    context.db,
    conversations.flatMap(({ references }) => references),
  )
  const views = await listUnread(
    context,
    viewer,
    referenced.map(({ messageId }) => messageId),
  )
  const unread = new Map(views.map((view) => [view.id, view]))
  const contextIds = conversations.flatMap(({ context_ids }) => context_ids)
  const around = await listMessageViews(context.db, viewer, contextIds, {})
  const known = new Map(referenced.map((message) => [message.messageId, message]))
  const since = described_at / 1_000 - CLOCK_SECONDS
  const unchanged = new Set(
    around.filter((view) => canSeeMessage(viewer, view) && !isChanged(view, since)).map(({ id }) => id),
  )
  const compared: Compared[] = []
  for (const { references, context_ids: before, older_count: olderCount } of conversations) {
    const missed = references.flatMap((reference) => missedOf(reference, known, unread))
    if (missed.length === 0) compared.push({ state: 'empty', conversation: null })
    else if (
      missed.length === references.length &&
      missed.every(({ view }) => !isChanged(view, since)) &&
      before.every((id) => unchanged.has(id))
    )
      compared.push({ state: 'same', conversation: null })
    else if (!wantsContent) compared.push({ state: 'changed', conversation: null })
    else {
      const { url } = await context.projections.getRealm(realmId)
      const chosen = { missed, newest: missed.slice(-MAX_SHOWN) }
      const described = await describeConversation(context, viewer, url, chosen)
      compared.push(
        described === null
          ? { state: 'empty', conversation: null }
          : {
              state: 'changed',
              conversation: {
                ...described,
                older_count: (described.older_count ?? 0) + olderCount,
                omitted_count: described.omitted_count + olderCount,
              },
            },
      )
    }
  }
  return { conversations: compared }
}

function missedOf(
  { message_id: id }: MissedReference,
  known: ReadonlyMap<number, BatchedMessage>,
  unread: ReadonlyMap<number, MessageView>,
): MissedMessageView[] {
  const [batched, view] = [known.get(id), unread.get(id)]
  return batched && view ? [{ batched, view }] : []
}

const isChanged = (
  { lastEditTimestamp, lastMovedTimestamp }: Pick<MessageView, 'lastEditTimestamp' | 'lastMovedTimestamp'>,
  since: number,
): boolean => Math.max(lastEditTimestamp ?? 0, lastMovedTimestamp ?? 0) >= since
