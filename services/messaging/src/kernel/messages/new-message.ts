/** A checked message as it is stored. */
export interface NewMessage {
  readonly realmId: number
  readonly recipientId: number
  /** Null for a direct message. */
  readonly channelId: number | null
  readonly senderId: number
  readonly topic: string
  readonly content: string
  readonly renderedContent: string
  readonly sentAt: Date
  readonly client: string
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
  /** Recipients with the message stored as read: possibly the sender, and users who muted the sender. */
  readonly readerIds: readonly number[]
  /** Recipients who are mentioned by name. */
  readonly mentionedUserIds: readonly number[]
  /** Recipients with an alert word in it. */
  readonly alertedUserIds: readonly number[]
}

/** A message with everything that is stored together with it: what the statements that store messages are given. */
export interface StoredMessage extends NewMessage {
  readonly topicKey: string
  /** The name of the event. */
  readonly event: string
  readonly requestId: string | null
  /** The payload of the event, from `renderWithoutId`. */
  readonly payloadWithoutId: string
  /** The trace that the event is part of. */
  readonly traceparent: string | null
  /** Version of the channel at the time of the checks; null if it is not compared. */
  readonly version: number | null
  /** How often users had joined the channel by then; null if it is not compared. */
  readonly joins: number | null
  /** The revision of a topic that was recalled (`TopicTarget`); null if it is not compared. */
  readonly revision: string | null
  /** Idempotency key and digest of the request; null if a second attempt makes a second message. */
  readonly key: Buffer | null
  readonly request: Buffer | null
  /** What a second attempt returns besides the ID. */
  readonly automaticVisibility: number | null
}

/** Which turn a message has, and how long it may wait for it. */
export interface SendTurn {
  readonly recipientId: number
  readonly senderId: number
  readonly key: Buffer | null
  /** Nothing is stored that hasn't begun by then, by the clock of `performance.now()`. */
  readonly until: number
}

/** Stores the messages of this replica: those that arrive together in one statement. */
export interface MessageStore {
  /** Returns the ID of the message; null if nothing was stored, because its channel has changed since the checks. */
  store(message: StoredMessage, until: SendTurn['until']): Promise<number | null>
  /**
   * Runs the transaction of a message that needs one, in its turn among the messages of the recipient: however many wait for
   * its lock, one connection does. It is given how long it may wait for a lock, and runs again if that was too short.
   */
  inTurn<T>(turn: SendTurn, transaction: (waitMs: number) => Promise<T>): Promise<T>
}
