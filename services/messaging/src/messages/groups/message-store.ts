import type { Pool } from '@tms/service-kit'
import type { MessageStore, StoredMessage } from '../../kernel/messages/new-message.ts'
import { storeRow } from '../store-message.queries.ts'
import { type Groupable, MessageGroups } from './message-groups.ts'
import { storeGroup } from './store-group.queries.ts'

/** Enough that a group costs each of its messages little more than its rows; too many keep all their senders waiting. */
const MESSAGES = 100
const BYTES = 1024 ** 2
/** Shares of the connections, so that checks of messages and other requests always find some. */
const SHARE_OF_SLOW = 0.2
const SHARE_IN_TURN = 0.4

/** A message, and what `MessageGroups` has to know of it. */
interface Grouped extends Groupable {
  readonly stored: StoredMessage
}

/** A message that has a transaction of its own. */
interface WithTransaction extends Groupable {
  readonly kind: null
  readonly transaction: () => Promise<void>
}

/** Stores the messages of this replica, in groups. */
export function createMessageStore(db: Pool, connections: number): MessageStore {
  const groups = new MessageGroups<Grouped | WithTransaction>(
    {
      storeFree: async (messages) => {
        const grouped = messages.filter(isGrouped)
        const [first] = grouped
        if (!first || grouped.length > 1) return storeAll(db, grouped, true)
        const id = await storeRow(db, first.stored, { skipsLocked: true })
        return [id === null ? 'passed over' : { id }]
      },
      storeInTurn: (messages) => storeAll(db, messages.filter(isGrouped), false),
      storeAlone: async (message) => {
        if (isGrouped(message)) return storeRow(db, message.stored)
        await message.transaction()
        return null
      },
      isRefused,
    },
    {
      together: 1,
      togetherWithSlow: Math.max(2, Math.floor(connections * SHARE_OF_SLOW)),
      inTurn: Math.max(1, Math.floor(connections * SHARE_IN_TURN)),
      messages: MESSAGES,
      bytes: BYTES,
    },
  )
  return {
    store: (message) => groups.store(asGrouped(message)),
    inTurn: async <T>(recipientId: number, run: () => Promise<T>) => {
      let result: { readonly value: T } | undefined
      const transaction = async () => {
        result = { value: await run() }
      }
      await groups.store({ recipientId, kind: null, key: null, bytes: 0, transaction })
      return (result as unknown as { readonly value: T }).value
    },
  }
}

const isGrouped = (message: Grouped | WithTransaction): message is Grouped => 'stored' in message

function storeAll(db: Pool, messages: readonly Grouped[], skipsLocked: boolean) {
  const stored = messages.map((message) => message.stored)
  const kind = messages[0]?.kind
  const variant = {
    isDirect: stored[0]?.channelId === null,
    isReadBySender: kind === KINDS.read || kind === KINDS.directRead,
  }
  return storeGroup(db, stored, { ...variant, skipsLocked })
}

const KINDS = { read: 'read', unread: 'unread', directRead: 'direct, read', directUnread: 'direct, unread' }

function asGrouped(stored: StoredMessage): Grouped {
  const { recipientId, senderId, key, content, renderedContent, payloadWithoutId } = stored
  return {
    stored,
    recipientId,
    kind: kindOf(stored),
    key: key === null ? null : `${senderId} ${key.toString('base64')}`,
    // Letters of most texts take one byte, some three.
    bytes: 2 * (content.length + renderedContent.length + payloadWithoutId.length),
  }
}

/** Messages with flags of single users, or that others have read by muting the sender, are few and stored alone. */
function kindOf({ channelId, senderId, readerIds, mentionedUserIds, alertedUserIds }: StoredMessage) {
  if (mentionedUserIds.length + alertedUserIds.length > 0) return null
  if (readerIds.length === 0) return channelId === null ? KINDS.directUnread : KINDS.unread
  if (readerIds.length > 1 || readerIds[0] !== senderId) return null
  return channelId === null ? KINDS.directRead : KINDS.read
}

/**
 * PostgreSQL refused what the statement contains (22, 23), or ended it for the sake of another (40): it has rolled it back.
 * Other errors don't say whether it committed.
 */
function isRefused(err: unknown): boolean {
  const { code } = (err ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^(22|23|40)[0-9A-Z]{3}$/.test(code)
}
