/** Users that a text concerns beyond its recipients, by name, group, alert word or topic. */
export interface ConcernedUsers {
  /** Mentioned by name, or by a group that they are in. */
  readonly mentionedUserIds: readonly number[]
  /** With an alert word in the text. */
  readonly alertedUserIds: readonly number[]
  /** Participants of the topic if the text mentions it; otherwise empty. */
  readonly participantIds: readonly number[]
}

/** Users to notify of a message if they receive it. */
export interface NotificationCandidates extends ConcernedUsers {
  /** Mentioned bots that receive the message even if they are not in the channel. None in a private channel. */
  readonly callableBotIds: readonly number[]
  /** Outgoing webhooks. */
  readonly webhookIds: readonly number[]
}

/** Users who are notified of a message beyond receiving it. */
export interface NotifiedUsers extends ConcernedUsers {
  /** Bots that are mentioned in a public channel without being in it. They receive this one message. */
  readonly calledBotIds: readonly number[]
  /** Outgoing webhooks to call because of it. */
  readonly webhookIds: readonly number[]
}

/** For messages that notify nobody, such as notices. */
export const NO_NOTIFIED_USERS: NotifiedUsers = {
  mentionedUserIds: [],
  alertedUserIds: [],
  participantIds: [],
  calledBotIds: [],
  webhookIds: [],
}

/**
 * Selects the candidates that receive a message: the users in `receiverIds`, and mentioned bots. Participants stay as
 * they are, since flags of users that don't receive a message have no effect.
 */
export function selectNotified(
  candidates: NotificationCandidates,
  receiverIds: readonly number[],
): NotifiedUsers {
  const receivers = new Set(receiverIds)
  const receives = (userId: number) => receivers.has(userId)
  const calledBotIds = candidates.callableBotIds.filter((userId) => !receives(userId))
  return {
    mentionedUserIds: candidates.mentionedUserIds.filter(receives),
    alertedUserIds: candidates.alertedUserIds.filter(receives),
    participantIds: candidates.participantIds,
    calledBotIds,
    webhookIds: candidates.webhookIds.filter((userId) => receives(userId) || calledBotIds.includes(userId)),
  }
}
