import { defineLockOrder } from '@tms/service-kit'

/**
 * The locks of this service's transactions. Each transaction takes those that it needs from the first level to the
 * last; what is out of order is logged as an error and counted (`lock_order_violations_total`).
 *
 * These have no level, since nobody waits for them who holds something that their holder still needs:
 * - Rows of a channel, a conversation, a file or a user's drafts change under the lock of that.
 * - A scheduled message changes under the lock of its sender. Its delivery deletes it under the lock of the recipient,
 *   before files are locked; others who change it hold no recipient.
 * - A user's flags are locked by message ID, under removal locks, and nothing is locked after them.
 * - An insert of an idempotency key waits for the send with the same key, which needs nothing of the one that waits.
 * - The row of a bot's backlog is locked by statements that lock nothing after it, or for a notice to the bot's owner.
 * - A group of messages skips recipients that are locked, and senders whose rows are. A message that is stored by itself waits
 *   a moment for its sender's row, and a group for its keys, in their order; then it lets all go and is stored in its turn.
 * - Cleanups, the search indexer, webhook calls and the claim of a due message skip locked rows.
 */
export const locks = defineLockOrder({
  newChannels: {
    locks: 'how many channels a user has created within a day',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'the count decides whether anything else happens',
  },
  knownUsersAndRealms: {
    locks:
      'what the row of a user, a group or an organization guards: pending changes, drafts, scheduled messages, what waits for the end of quiet',
    mode: 'row of known_users, known_groups or known_realms, for no key update',
    order: 'one for each transaction',
    reason: 'the row shows whether there is a change to publish, and so which of the next levels are needed',
  },
  channelGrants: {
    locks: 'which channels of an organization name which groups',
    mode: 'advisory, shared or exclusive',
    order: 'one for each transaction',
    reason:
      'its exclusive holder finds out whether it needs the lock of channel visibility, which many more share',
  },
  channelVisibility: {
    locks: 'which users see which channels of an organization',
    mode: 'advisory, shared or exclusive',
    order: 'one for each transaction',
    reason: 'its exclusive holder waits for rows of recipients, so no holder of such a row may wait for it',
  },
  removal: {
    locks: 'whether messages of recipients may be deleted or moved away',
    mode: 'advisory, shared or exclusive',
    order: 'all at once, by number',
    reason:
      'holders of the shared lock take rows next; senders, who hold the row of a recipient, never take it',
  },
  recipients: {
    locks: 'channels and conversations: the order of their messages, and who receives them',
    mode: 'row of recipients, for no key update; for share by readers',
    order: 'all at once, by ID',
    reason: 'everything below happens at a position among the messages of these recipients',
  },
  messages: {
    locks: 'a single message: its reactions and submessages',
    mode: 'row of messages, for no key update',
    order: 'one for each transaction',
    reason: 'its holders have no recipient, and go on to topic policies',
  },
  topicPolicies: {
    locks: 'the topic policies of users',
    mode: 'advisory, exclusive',
    order: 'all at once, by number',
    reason: 'transactions without these locks wait for rows of subscriptions and files',
  },
  readRanges: {
    locks: 'what users received and have read, in channels and then in conversations',
    mode: 'rows of subscriptions and conversation_members, for no key update',
    order: 'by channel, user and conversation',
    reason: 'they change with messages and policies, which are locked by then',
  },
  noticeConversations: {
    locks: 'conversations with the system bot, for notices',
    mode: 'row of recipients, for no key update',
    order: 'by ID of the user, for each kind of notice',
    reason: 'a notice says what the transaction has done',
  },
  files: {
    locks: 'files with their links',
    mode: 'row of attachments, for update',
    order: 'all at once, by ID',
    reason: 'they are linked by messages that were just stored',
  },
  uploadSpace: {
    locks: "the total size of an organization's files",
    mode: 'row of upload_space, by update',
    order: 'one for each transaction',
    reason: 'an organization has a single row for it, so it is held briefly',
  },
  defaultChannels: {
    locks: 'the default channels of an organization',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'an organization has a single lock for it, so it is held briefly',
  },
  guestVisibility: {
    locks: 'what the guests of an organization see',
    mode: 'advisory, exclusive',
    order: 'one for each transaction',
    reason: 'an organization has a single lock for it, and what is still shared is counted last',
  },
})
