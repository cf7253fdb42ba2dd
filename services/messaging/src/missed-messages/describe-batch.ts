import type { MissedConversation } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { type Batch, listBatch } from './batch.queries.ts'
import { chooseConversations, hasSpaceFor, MAX_SHOWN } from './conversation.rules.ts'
import { describeConversation, listUnread, type MissedMessageView } from './describe-conversation.ts'

/** Newest messages of a batch that are considered: too many take too much memory. Older ones are not even counted. */
export const MAX_MESSAGES = 5_000

/** What is to be mailed of a batch. */
interface DescribedBatch {
  readonly conversations: readonly MissedConversation[]
  /** Conversations that are left out because there are too many. */
  readonly furtherCount: number
  /** When it was so. */
  readonly at: Date
}

/**
 * The conversations of a batch as the user sees them now: messages that were read or deleted meanwhile, or that the
 * user may no longer see, are left out. Of few messages the texts are read at once; of more by one conversation after the
 * other, and only those that a mail may show.
 */
export async function describeBatch(
  context: Context,
  { id, realmId, userId }: Batch,
): Promise<DescribedBatch> {
  const at = context.now()
  const { url } = await context.projections.getRealm(realmId)
  const { role } = await context.projections.getUser(userId)
  const viewer = { realmId, userId, role }
  const batched = new Map(
    (await listBatch(context.db, id, MAX_MESSAGES)).map((message) => [message.messageId, message]),
  )
  const areFew = batched.size <= MAX_SHOWN
  const texts = { html: areFew, raw: areFew }
  const missed = (await listUnread(context, viewer, [...batched.keys()], texts)).flatMap(
    (view): MissedMessageView[] => {
      const message = batched.get(view.id)
      return message ? [{ batched: message, view }] : []
    },
  )
  const { chosen, furtherCount } = chooseConversations(missed)
  const conversations: MissedConversation[] = []
  for (const [index, each] of chosen.entries()) {
    const described = await describeConversation(context, viewer, url, each)
    if (described === null) continue
    if (!hasSpaceFor(conversations, described))
      return { conversations, furtherCount: furtherCount + chosen.length - index, at }
    conversations.push(described)
  }
  return { conversations, furtherCount, at }
}
