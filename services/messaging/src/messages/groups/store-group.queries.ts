import type { OutboxWriter } from '@tms/service-kit'
import type { StoredMessage } from '../../kernel/messages/new-message.ts'
import { lockTimeout } from '../store-statement.queries.ts'
import {
  flagValues,
  GROUP_COLUMNS,
  type GroupVariant,
  groupStatementFor,
  type MessageFlag,
} from './group-statement.queries.ts'
import type { GroupOutcome } from './message-groups.ts'

/**
 * Stores messages with everything that belongs to them, as `storeMessage` does for one: one statement, so one transaction.
 * Returns what became of each, in their order. Throws the unique violation of `IDEMPOTENCY_KEYS_PKEY` if another transaction
 * stores one of the keys meanwhile.
 */
export async function storeGroup(
  db: OutboxWriter,
  messages: readonly StoredMessage[],
  {
    waitMs,
    ...variant
  }: Pick<GroupVariant, 'isDirect' | 'isReadBySender' | 'skipsLocked'> & { waitMs: number },
): Promise<GroupOutcome[]> {
  const hasKeys = messages.some(({ key }) => key !== null)
  const flags = messages.flatMap(flagsOf)
  const hasFlags = flags.length > 0
  const { name, text } = groupStatementFor({ ...variant, hasKeys, hasFlags })
  const recipientIds = [...new Set(messages.map(({ recipientId }) => recipientId))]
  const columns = GROUP_COLUMNS.map(([column]) => messages.map((message) => message[column]))
  const { rows } = await db.query<{ ordinal: number; id: number | null; isRepeated: boolean }>({
    name,
    text,
    values: [recipientIds, ...columns, lockTimeout(waitMs), ...(hasFlags ? flagValues(flags) : [])],
  })
  const outcomes = messages.map((): GroupOutcome => 'passed over')
  for (const { ordinal, id, isRepeated } of rows)
    outcomes[ordinal - 1] = id !== null ? { id } : isRepeated ? 'repeated' : 'changed'
  if (rows.some(({ id }) => id !== null)) db.markPublished?.()
  return outcomes
}

function flagsOf({ mentionedUserIds, alertedUserIds }: StoredMessage, index: number): MessageFlag[] {
  if (mentionedUserIds.length + alertedUserIds.length === 0) return []
  const mentioned = new Set(mentionedUserIds)
  const alerted = new Set(alertedUserIds)
  return [...new Set([...mentionedUserIds, ...alertedUserIds])].map((userId) => ({
    ordinal: index + 1,
    userId,
    isMentioned: mentioned.has(userId),
    hasAlertWord: alerted.has(userId),
  }))
}
