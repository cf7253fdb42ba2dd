import { userSettings } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { MissedMessage } from './batch.queries.ts'
import { listGroupsOf, listRenderedTexts, type NotificationCandidate } from './candidate.queries.ts'
import type { FindAway } from './find-away.ts'
import { type Mentions, readMentions } from './mentions.rules.ts'
import { decideTrigger, type NotificationConditions } from './trigger.rules.ts'

const defaults: NotificationConditions['settings'] = {
  enable_offline_email_notifications: userSettings.enable_offline_email_notifications.default,
  enable_stream_email_notifications: userSettings.enable_stream_email_notifications.default,
  enable_followed_topic_email_notifications: userSettings.enable_followed_topic_email_notifications.default,
  enable_followed_topic_wildcard_mentions_notify:
    userSettings.enable_followed_topic_wildcard_mentions_notify.default,
  wildcard_mentions_notify: userSettings.wildcard_mentions_notify.default,
}

/** Selects the candidates who are to be notified: those with a reason who are away. Throws as `FindAway`. */
export async function decideMissed(
  db: Queryable,
  findAway: FindAway,
  candidates: readonly NotificationCandidate[],
): Promise<MissedMessage[]> {
  const triggered = candidates.flatMap((candidate) => {
    // The first messages of a new account are a welcome, sent while its owner signs up.
    if (candidate.isDirect && candidate.isSystemSender && candidate.isNewUser) return []
    const trigger = decideTrigger({
      ...candidate,
      isBot: false,
      isSender: false,
      settings: settingsOf(candidate.settings),
    })
    return trigger === null ? [] : [{ ...candidate, trigger }]
  })
  if (triggered.length === 0) return []
  const away = await findAway(triggered)
  const missed = triggered.filter(({ userId }) => away.has(userId))
  const groups = await findMentioningGroups(
    db,
    missed.filter(({ trigger }) => trigger === 'mentioned'),
  )
  return missed.map(({ realmId, userId, messageId, trigger }) => ({
    ...{ realmId, userId, messageId, trigger },
    groupId: groups.get(keyOf(messageId, userId)) ?? null,
  }))
}

/**
 * Selects those of newly mentioned users who are to be notified. Users who want every message of the topic or channel
 * were notified of the original.
 */
export async function decideAdded(
  db: Queryable,
  findAway: FindAway,
  candidates: readonly NotificationCandidate[],
): Promise<MissedMessage[]> {
  const unnotified = candidates.filter((candidate) => {
    const conditions = { ...candidate, isBot: false, isSender: false, isMentioned: false }
    return decideTrigger({ ...conditions, settings: settingsOf(candidate.settings) }) === null
  })
  const missed = await decideMissed(db, findAway, unnotified)
  return missed.filter(({ trigger }) => trigger === 'mentioned')
}

/** The settings of a projection, which lacks those that are newer than it. */
function settingsOf(stored: NotificationCandidate['settings']): NotificationConditions['settings'] {
  return { ...defaults, ...stored }
}

/** For users who are mentioned by groups alone: the smallest of these groups. */
async function findMentioningGroups(
  db: Queryable,
  mentioned: readonly NotificationCandidate[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  if (mentioned.length === 0) return found
  const texts = await listRenderedTexts(db, [...new Set(mentioned.map(({ messageId }) => messageId))])
  const mentions = new Map([...texts].map(([id, html]): [number, Mentions] => [id, readMentions(html)]))
  const groupIds = new Set([...mentions.values()].flatMap((each) => [...each.groupIds]))
  if (groupIds.size === 0) return found
  const groups = await listGroupsOf(db, [...groupIds])
  for (const { messageId, userId } of mentioned) {
    const inText = mentions.get(messageId)
    if (!inText || inText.userIds.has(userId)) continue
    const ofText = groups.filter(({ groupId }) => inText.groupIds.has(groupId))
    const group = ofText.find(({ memberIds }) => memberIds.has(userId)) ?? ofText[0]
    if (group) found.set(keyOf(messageId, userId), group.groupId)
  }
  return found
}

const keyOf = (messageId: number, userId: number): string => `${messageId} ${userId}`
