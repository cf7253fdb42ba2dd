import { AWAY_AFTER_SECONDS, type NotificationTrigger, type PushTrigger, userSettings } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { MissedMessage } from './batch.queries.ts'
import { listGroupsOf, listRenderedTexts, type NotificationCandidate } from './candidate.queries.ts'
import type { FindActivity } from './find-activity.ts'
import { type Mentions, readMentions } from './mentions.rules.ts'
import type { DuePostponed, Postponed } from './postponed.queries.ts'
import type { PushedTo } from './push-notice.queries.ts'
import {
  DECISIVE_SETTINGS,
  decidePush,
  decideTrigger,
  type NotificationConditions,
  type PushDecision,
} from './trigger.rules.ts'

const defaults = Object.fromEntries(
  DECISIVE_SETTINGS.map((name) => [name, userSettings[name].default]),
) as NotificationConditions['settings']

/** What is decided of some messages: which users are to be mailed, and which notified on their devices. */
export interface Decided {
  readonly missed: readonly MissedMessage[]
  readonly pushes: readonly PushedTo[]
  /** Users who were active lately, and are to be notified if they aren't from now on. */
  readonly postponed: readonly Postponed[]
}

interface Triggered {
  readonly candidate: NotificationCandidate
  readonly mail: NotificationTrigger | null
  readonly push: PushDecision | null
}

/** Selects the candidates who are to be notified, each way on its own. Throws as `FindActivity`. */
export function decideMissed(
  db: Queryable,
  findActivity: FindActivity,
  candidates: readonly NotificationCandidate[],
): Promise<Decided> {
  return notify(db, findActivity, candidates.map(triggersOf))
}

/**
 * Selects those of newly mentioned users who are to be notified. Users who want every message of the topic or channel
 * were notified of the original.
 */
export function decideAdded(
  db: Queryable,
  findActivity: FindActivity,
  candidates: readonly NotificationCandidate[],
): Promise<Decided> {
  const added = candidates.map((candidate): Triggered => {
    const now = triggersOf(candidate)
    const before = triggersOf({ ...candidate, isMentioned: false })
    return {
      candidate,
      mail: before.mail === null && now.mail === 'mentioned' ? now.mail : null,
      push: before.push === null && now.push?.trigger === 'mentioned' ? now.push : null,
    }
  })
  return notify(db, findActivity, added)
}

function triggersOf(candidate: NotificationCandidate): Triggered {
  // The first messages of a new account are a welcome, sent while its owner signs up.
  if (candidate.isDirect && candidate.isSystemSender && candidate.isNewUser)
    return { candidate, mail: null, push: null }
  const settings = settingsOf(candidate.settings)
  const conditions = { ...candidate, isBot: false, isSender: false, settings }
  return { candidate, mail: decideTrigger(conditions), push: decidePush(conditions) }
}

/** Selects those who weren't active since they were postponed. Throws as `FindActivity`. */
export async function decidePostponed(
  db: Queryable,
  findActivity: FindActivity,
  due: readonly DuePostponed[],
): Promise<Decided> {
  const activity = await findActivity(due)
  const left = due.filter(({ userId, postponedAt }) => !isActiveSince(activity, userId, postponedAt))
  return { ...(await decide(db, left)), postponed: [] }
}

async function notify(
  db: Queryable,
  findActivity: FindActivity,
  triggered: readonly Triggered[],
): Promise<Decided> {
  const unclear = triggered.filter(({ mail, push }) => mail !== null || push?.onlyAway)
  const activity: ReadonlyMap<number, number> =
    unclear.length === 0 ? new Map() : await findActivity(unclear.map(({ candidate }) => candidate))
  const since = Date.now() / 1000 - AWAY_AFTER_SECONDS
  const found = triggered.map(({ candidate, mail, push }) => {
    const ids = idsOf(candidate)
    const isActive = isActiveSince(activity, candidate.userId, since)
    const [now, later] = isActive && push?.onlyAway ? [null, push.trigger] : [push?.trigger ?? null, null]
    return {
      now: { ...ids, mail: isActive ? null : mail, push: now },
      later: { ...ids, mail: isActive ? mail : null, push: later },
    }
  })
  return {
    ...(await decide(
      db,
      found.map((each) => each.now),
    )),
    postponed: found.map(({ later }) => later).filter(({ mail, push }) => mail !== null || push !== null),
  }
}

/** Presence is in whole seconds. */
const isActiveSince = (activity: ReadonlyMap<number, number>, userId: number, since: number): boolean =>
  (activity.get(userId) ?? 0) >= Math.floor(since)

/** What is to be handed over of these users, mentioning groups included. */
async function decide(
  db: Queryable,
  found: readonly Postponed[],
): Promise<Pick<Decided, 'missed' | 'pushes'>> {
  const groups = await findMentioningGroups(
    db,
    found.filter(({ mail, push }) => mail === 'mentioned' || push === 'mentioned'),
  )
  const notified = <T extends NotificationTrigger | PushTrigger>(ids: Postponed, trigger: T | null) =>
    trigger === null
      ? []
      : [
          {
            ...idsOf(ids),
            trigger,
            groupId: trigger === 'mentioned' ? (groups.get(keyOf(ids.messageId, ids.userId)) ?? null) : null,
          },
        ]
  return {
    missed: found.flatMap((each) => notified(each, each.mail)),
    pushes: found.flatMap((each) => notified(each, each.push)),
  }
}

const idsOf = ({ realmId, userId, messageId }: Pick<Postponed, 'realmId' | 'userId' | 'messageId'>) => ({
  realmId,
  userId,
  messageId,
})

/** The settings of a projection, which lacks those that are newer than it. */
function settingsOf(stored: NotificationCandidate['settings']): NotificationConditions['settings'] {
  return { ...defaults, ...stored }
}

/** For users who are mentioned by groups alone: the smallest of these groups. */
async function findMentioningGroups(
  db: Queryable,
  mentioned: readonly Pick<Postponed, 'userId' | 'messageId'>[],
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
