import { CREATING, currentTraceparent, inSpan, isTracing, type Queryable } from '@tms/service-kit'
import {
  type Given,
  type MessageAnnouncement,
  type NewMessage,
  statementFor,
} from './store-statement.queries.ts'

/** What a message is stored on condition of. */
type Terms = Pick<Given, 'named' | 'revision'>

const UNCONDITIONALLY: Terms = { named: null, revision: null }

/** Nothing was stored, because the place has changed since the message was checked: check it again. */
export class OutdatedCheck extends Error {}

/**
 * Stores a message and everything that goes with it, and returns its ID: one statement, so that alone it is a
 * transaction of one round trip and a busy channel's lock is held only while the server works. What it costs
 * does not depend on how many receive it.
 *
 * The recipient's row is locked first. Everything that needs a place in the order of messages comes from
 * `next`, hence after the lock: the ID, the predecessor, and the place in the outbox. PostgreSQL reads rows
 * that it waited for anew, so a snapshot older than the lock does no harm to the place and to the sender's own row, without
 * which the message would be checked again; rows of others that come meanwhile it doesn't see. The first
 * message of a new channel has its ID already, which the events that tell of the channel carry.
 *
 * With `named`, it throws PostgreSQL's unique violation of `SENT_KEYS` when the key is taken; with `revision`,
 * `OutdatedCheck` when the place is no longer what it was: of the row that it waited for, PostgreSQL looks at that again.
 *
 * This is the one event that doesn't go through `publish`: its payload needs the ID that is made here.
 */
export function storeMessage(
  db: Queryable,
  message: NewMessage,
  announcement: MessageAnnouncement,
  terms: Terms = UNCONDITIONALLY,
): Promise<number> {
  if (!isTracing()) return store(db, message, announcement, terms)
  return inSpan(`create ${announcement.event}`, CREATING, () => store(db, message, announcement, terms))
}

async function store(
  db: Queryable,
  message: NewMessage,
  announcement: MessageAnnouncement,
  { named, revision }: Terms,
): Promise<number> {
  const { readerIds, senderId } = message
  const isReadBySender = readerIds.length === 1 && readerIds[0] === senderId
  const { name, text, values } = statementFor({
    isDirect: message.channelId === null,
    readers: isReadBySender ? 'sender' : readerIds.length === 0 ? 'none' : 'some',
    flags: message.mentionedUserIds.length + message.alertedUserIds.length > 0,
    isNamed: named !== null,
    isRevised: revision !== null,
  })
  const given = { message, announcement, named, revision, traceparent: currentTraceparent() }
  const { rows } = await db.query<{ id: number }>({ name, text, values: values(given) })
  const [row] = rows
  if (!row && revision !== null) throw new OutdatedCheck()
  if (!row) throw new Error(`recipient ${message.recipientId} is gone`)
  return row.id
}

/** Locks the place where messages stand in order, until the transaction ends. */
export async function lockRecipient(tx: Queryable, recipientId: number): Promise<void> {
  await tx.query({
    name: 'lock-recipient',
    text: `
      select
        from recipients
       where id = $1
         for no key update`,
    values: [recipientId],
  })
}

/** Locks a message, if it exists, until the transaction ends. */
export async function lockMessage(tx: Queryable, messageId: number): Promise<void> {
  await tx.query({
    name: 'lock-message',
    text: `
      select
        from messages
       where id = $1
         for no key update`,
    values: [messageId],
  })
}
