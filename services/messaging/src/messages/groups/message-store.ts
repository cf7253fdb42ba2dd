import { AsyncResource } from 'node:async_hooks'
import type { Pool, Registry } from '@tms/service-kit'
import type { MessageStore, SendTurn, StoredMessage } from '../../kernel/messages/new-message.ts'
import { type Locking, storeRow } from '../store-message.queries.ts'
import { type Groupable, MessageGroups, type StatementFailure } from './message-groups.ts'
import { createMessageMetrics } from './message-metrics.ts'
import { storeGroup } from './store-group.queries.ts'

/** Enough that a group costs each of its messages little more than its rows; too many keep all their senders waiting. */
const MESSAGES = 100
const BYTES = 1024 ** 2
/** Of one message, which would keep its whole group waiting: mentions of large groups. They take 5 µs each. */
const FLAGS = 1_000
/** About what the flags of a user take. */
const FLAG_BYTES = 30
/** Shares of the connections, so that checks of messages and other requests always find some. */
const SHARE_OF_SLOW = 0.2
const SHARE_IN_TURN = 0.4
/** Of those; the others are for what waits for nobody. */
const SHARE_CONTENDED = 0.5

/** Instead of an ID: `inTurn` returns the result of the transaction. */
const OF_TRANSACTION = 0

/** A message, and what `MessageGroups` has to know of it. */
interface Grouped extends Groupable {
  readonly stored: StoredMessage
}

/** A message that has a transaction of its own. */
interface WithTransaction extends Groupable {
  readonly kind: null
  readonly transaction: (waitMs: number) => Promise<void>
}

/** Stores the messages of this replica, in groups. */
export function createMessageStore(db: Pool, connections: number, metrics: Registry): MessageStore {
  const inTurn = Math.max(1, Math.floor(connections * SHARE_IN_TURN))
  const groups = new MessageGroups<Grouped | WithTransaction>(
    {
      storeFree: async (messages, waitMs) => {
        const grouped = messages.filter(isGrouped)
        const [first] = grouped
        if (!first || grouped.length > 1) return storeAll(db, grouped, { skipsLocked: true, waitMs })
        const id = await storeRow(db, first.stored, { skipsLocked: true, waitMs })
        if (id !== null) return [{ id }]
        // What was recalled has more likely changed than that the recipient is locked, and is read to find out.
        return [first.stored.revision === null ? 'passed over' : 'changed']
      },
      storeInTurn: (messages, waitMs) =>
        storeAll(db, messages.filter(isGrouped), { skipsLocked: false, waitMs }),
      storeAlone: async (message, waitMs) => {
        if (isGrouped(message)) return storeRow(db, message.stored, { waitMs })
        await message.transaction(waitMs)
        return OF_TRANSACTION
      },
      failureOf,
    },
    {
      together: 1,
      togetherWithSlow: Math.max(2, Math.floor(connections * SHARE_OF_SLOW)),
      inTurn,
      contended: Math.max(1, Math.floor(inTurn * SHARE_CONTENDED)),
      messages: MESSAGES,
      bytes: BYTES,
    },
    createMessageMetrics(metrics),
  )
  return {
    store: (message, until) => groups.store(asGrouped(message, until)),
    inTurn: async <T>(
      { recipientId, senderId, key, until }: SendTurn,
      run: (waitMs: number) => Promise<T>,
    ) => {
      let result: { readonly value: T } | undefined
      // Each transaction belongs to the request of its own message, whichever message's end begins it.
      const transaction = AsyncResource.bind(async (waitMs: number) => {
        result = { value: await run(waitMs) }
      })
      const keyInUse = key && inUse(senderId, key)
      await groups.store({ recipientId, kind: null, key: keyInUse, until, bytes: 0, transaction })
      return (result as unknown as { readonly value: T }).value
    },
  }
}

const isGrouped = (message: Grouped | WithTransaction): message is Grouped => 'stored' in message

function storeAll(db: Pool, messages: readonly Grouped[], locking: Required<Locking>) {
  const stored = messages.map((message) => message.stored)
  const kind = messages[0]?.kind
  const variant = {
    isDirect: stored[0]?.channelId === null,
    isReadBySender: kind === KINDS.read || kind === KINDS.directRead,
  }
  return storeGroup(db, stored, { ...variant, ...locking })
}

const KINDS = { read: 'read', unread: 'unread', directRead: 'direct, read', directUnread: 'direct, unread' }

/** What identifies a key among those of all users. */
const inUse = (senderId: number, key: Buffer) => `${senderId} ${key.toString('base64')}`

function asGrouped(stored: StoredMessage, until: number): Grouped {
  const { recipientId, senderId, key, content, renderedContent, payloadWithoutId } = stored
  return {
    stored,
    recipientId,
    kind: kindOf(stored),
    key: key && inUse(senderId, key),
    until,
    // Letters of most texts take one byte, some three.
    bytes:
      2 * (content.length + renderedContent.length + payloadWithoutId.length) + FLAG_BYTES * flagsOf(stored),
  }
}

const flagsOf = ({ mentionedUserIds, alertedUserIds }: StoredMessage): number =>
  mentionedUserIds.length + alertedUserIds.length

/** Messages that others have read by muting the sender, or with flags for very many, are few and stored alone. */
function kindOf(stored: StoredMessage) {
  const { channelId, senderId, readerIds } = stored
  if (flagsOf(stored) > FLAGS) return null
  if (readerIds.length === 0) return channelId === null ? KINDS.directUnread : KINDS.unread
  if (readerIds.length > 1 || readerIds[0] !== senderId) return null
  return channelId === null ? KINDS.directRead : KINDS.read
}

/**
 * PostgreSQL has rolled back what it reports an error for. Only an error of the connection leaves it unknown whether the
 * statement has committed, and 40003, by which a proxy says so.
 */
function failureOf(err: unknown): StatementFailure {
  const { code } = (err ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return 'unknown'
  if (code === '55P03') return 'locked'
  if (/^(22|23|54)[0-9A-Z]{3}$/.test(code)) return 'refused'
  if (/^(40(?!003)[0-9A-Z]{3}|57014)$/.test(code)) return 'rolled back'
  return /^53[0-9A-Z]{3}$/.test(code) ? 'unavailable' : 'unknown'
}
