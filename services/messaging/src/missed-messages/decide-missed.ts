import { type ActedOnSettings, internal, userSettings } from '@tms/contracts'
import type { InternalClient, Queryable } from '@tms/service-kit'
import type { MissedMessage } from './batch.queries.ts'
import { listGroupsOf, listRenderedTexts, type NotificationCandidate } from './candidate.queries.ts'
import { type Mentions, readMentions } from './mentions.rules.ts'
import { decideTrigger, type NotificationConditions } from './trigger.rules.ts'

/** Users of one call that asks who is away. */
const MAX_ASKED = 5_000

const defaults: NotificationConditions['settings'] = {
  enable_offline_email_notifications: userSettings.enable_offline_email_notifications.default,
  enable_stream_email_notifications: userSettings.enable_stream_email_notifications.default,
  enable_followed_topic_email_notifications: userSettings.enable_followed_topic_email_notifications.default,
  enable_followed_topic_wildcard_mentions_notify:
    userSettings.enable_followed_topic_wildcard_mentions_notify.default,
  wildcard_mentions_notify: userSettings.wildcard_mentions_notify.default,
}

/** Selects the candidates who are to be notified: those with a reason who are away. Throws if users doesn't answer. */
export async function decideMissed(
  db: Queryable,
  call: InternalClient,
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
  const away = await findAway(call, triggered)
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
  call: InternalClient,
  candidates: readonly NotificationCandidate[],
): Promise<MissedMessage[]> {
  const unnotified = candidates.filter((candidate) => {
    const conditions = { ...candidate, isBot: false, isSender: false, isMentioned: false }
    return decideTrigger({ ...conditions, settings: settingsOf(candidate.settings) }) === null
  })
  const missed = await decideMissed(db, call, unnotified)
  return missed.filter(({ trigger }) => trigger === 'mentioned')
}

/** The settings of a projection, which lacks those that are newer than it. */
function settingsOf(stored: Partial<ActedOnSettings>): NotificationConditions['settings'] {
  return { ...defaults, ...stored }
}

async function findAway(
  call: InternalClient,
  candidates: readonly NotificationCandidate[],
): Promise<ReadonlySet<number>> {
  const away = new Set<number>()
  for (const [realm_id, ofRealm] of Map.groupBy(candidates, ({ realmId }) => realmId)) {
    const userIds = [...new Set(ofRealm.map(({ userId }) => userId))]
    for (let start = 0; start < userIds.length; start += MAX_ASKED) {
      const user_ids = userIds.slice(start, start + MAX_ASKED)
      const answer = await call(internal.users.listAwayUsers, { realm_id, user_ids })
      for (const userId of answer.user_ids) away.add(userId)
    }
  }
  return away
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
