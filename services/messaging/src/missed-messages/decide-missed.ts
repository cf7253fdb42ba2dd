import { type NotificationTrigger, userSettings } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { MissedMessage } from './batch.queries.ts'
import { listGroupsOf, listRenderedTexts, type NotificationCandidate } from './candidate.queries.ts'
import type { FindAway } from './find-away.ts'
import { type Mentions, readMentions } from './mentions.rules.ts'
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
}

interface Triggered {
  readonly candidate: NotificationCandidate
  readonly mail: NotificationTrigger | null
  readonly push: PushDecision | null
}

/** Selects the candidates who are to be notified, each way on its own. Throws as `FindAway`. */
export function decideMissed(
  db: Queryable,
  findAway: FindAway,
  candidates: readonly NotificationCandidate[],
): Promise<Decided> {
  return notify(db, findAway, candidates.map(triggersOf))
}

/**
 * Selects those of newly mentioned users who are to be notified. Users who want every message of the topic or channel
 * were notified of the original.
 */
export function decideAdded(
  db: Queryable,
  findAway: FindAway,
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
  return notify(db, findAway, added)
}

function triggersOf(candidate: NotificationCandidate): Triggered {
  // The first messages of a new account are a welcome, sent while its owner signs up.
  if (candidate.isDirect && candidate.isSystemSender && candidate.isNewUser)
    return { candidate, mail: null, push: null }
  const settings = settingsOf(candidate.settings)
  const conditions = { ...candidate, isBot: false, isSender: false, settings }
  return { candidate, mail: decideTrigger(conditions), push: decidePush(conditions) }
}

async function notify(db: Queryable, findAway: FindAway, triggered: readonly Triggered[]): Promise<Decided> {
  const unclear = triggered.filter(({ mail, push }) => mail !== null || push?.onlyAway)
  const away: ReadonlySet<number> =
    unclear.length === 0 ? new Set() : await findAway(unclear.map(({ candidate }) => candidate))
  const found = triggered.map(({ candidate, mail, push }): Triggered => {
    const isAway = away.has(candidate.userId)
    return { candidate, mail: isAway ? mail : null, push: push?.onlyAway && !isAway ? null : push }
  })
  const groups = await findMentioningGroups(
    db,
    found.flatMap(({ candidate, mail, push }) =>
      mail === 'mentioned' || push?.trigger === 'mentioned' ? [candidate] : [],
    ),
  )
  const groupOf = ({ messageId, userId }: NotificationCandidate, trigger: string) =>
    trigger === 'mentioned' ? (groups.get(keyOf(messageId, userId)) ?? null) : null
  return {
    missed: found.flatMap(({ candidate, mail }) =>
      mail === null ? [] : [{ ...idsOf(candidate), trigger: mail, groupId: groupOf(candidate, mail) }],
    ),
    pushes: found.flatMap(({ candidate, push }) =>
      push === null
        ? []
        : [{ ...idsOf(candidate), trigger: push.trigger, groupId: groupOf(candidate, push.trigger) }],
    ),
  }
}

const idsOf = ({ realmId, userId, messageId }: NotificationCandidate) => ({ realmId, userId, messageId })

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
