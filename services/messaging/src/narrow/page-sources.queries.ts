import { VisibilityPolicy } from '@tms/contracts'
import { mentionsAll } from './conditions.queries.ts'
import type { Condition, Narrow } from './narrow.ts'
import type { Parameters } from './parameters.ts'
import { isSearch } from './text.queries.ts'

/** One way to find candidates: by channel and conversation, or from messages that are known to be few. */
export type Source =
  | { readonly kind: 'ranges'; readonly ranges: RangesName; readonly extra: string }
  /** `ids` provides the column `id`, and takes further conditions on it: it ends in a `where` clause. */
  | { readonly kind: 'few'; readonly ids: string; readonly id: string; readonly isDistinct?: boolean }
  | { readonly kind: 'found' }
type RangesName =
  | 'ranges'
  | 'unmuted_ranges'
  | 'shown_topics'
  | 'followed_topics'
  | 'muted_ranges'
  | 'muted_topics'

/** Ranges of single topics. */
export const OF_TOPICS: ReadonlySet<RangesName> = new Set(['shown_topics', 'followed_topics', 'muted_topics'])

/** Whether a page can be found by starting with the messages that contain a text. */
export function canStartWithText({ conditions }: Narrow): boolean {
  return conditions.some(isSearch) && !conditions.some(isOfFew)
}

/** Whether a page can be found by starting with all reactions, and nothing else is known to be rarer. */
export function canStartWithReactions(narrow: Narrow): boolean {
  const { conditions } = narrow
  return (
    conditions.some((one) => one.kind === 'has' && one.what === 'reaction' && !one.isNegated) &&
    !conditions.some((one) => isOfFew(one) || (one.kind === 'followed' && !one.isNegated)) &&
    onlySenderOf(narrow) === null
  )
}

/**
 * CTEs that sources read, derived from the ranges: some of them, single topics in them, or all ranges of a recipient
 * in one.
 */
export function rangeQueries(sources: readonly Source[], me: string): string[] {
  const isMuted = `
    exists (select
              from subscriptions s
              join channels c
                on c.id = s.channel_id
             where s.user_id = ${me}
               and s.is_active
               and s.is_muted
               and c.recipient_id = r.recipient_id)`
  const topics = (...only: string[]) => `
    select r.recipient_id, r.low, r.high, t.topic_key
      from user_topics t
      join channels c
        on c.id = t.channel_id
      join ranges r
        on r.recipient_id = c.recipient_id
     where t.user_id = ${me}
       and ${only.join(' and ')}`
  const queries: Readonly<Record<RangesName, string | null>> = {
    ranges: null,
    unmuted_ranges: `select r.recipient_id, r.low, r.high from ranges r where not ${isMuted}`,
    shown_topics: topics('t.visibility_policy in (2, 3)', isMuted),
    followed_topics: topics(`t.visibility_policy = ${VisibilityPolicy.followed}`),
    muted_ranges: `select r.recipient_id, r.low, r.high from ranges r where ${isMuted}`,
    muted_topics: topics(`t.visibility_policy = ${VisibilityPolicy.muted}`, `not ${isMuted}`),
  }
  const recipient_ranges = `
    recipient_ranges as materialized (
      select recipient_id, range_agg(int8range(low, high)) as ids
        from ranges
       group by recipient_id)`
  const wanted = new Set(sources.map((source) => (source.kind === 'ranges' ? source.ranges : null)))
  return [...wanted].flatMap((name) => {
    if (name === null) return [recipient_ranges]
    const query = queries[name]
    return query === null ? [] : [`${name} as materialized (${query})`]
  })
}

/** Conditions that so few messages meet that the search starts with them. */
const OF_FEW: ReadonlySet<Condition['kind']> = new Set(['id', 'starred', 'alerted', 'mentioned'])
export const REACTIONS: Source = {
  kind: 'few',
  ids: 'reactions r where true',
  id: 'r.message_id',
  isDistinct: true,
}
const isOfFew = ({ kind, isNegated }: Condition) => !isNegated && OF_FEW.has(kind)

const findCondition = ({ conditions }: Narrow, kind: Condition['kind']) =>
  conditions.find((one) => one.kind === kind && !one.isNegated)

/** The sender whose messages are few compared with all; null if the narrow names none, or doesn't search everything. */
function onlySenderOf(narrow: Narrow): number | null {
  const sender = findCondition(narrow, 'sender')
  if (sender?.kind !== 'sender' || narrow.scope.kind !== 'received') return null
  return findCondition(narrow, 'topic') ? null : sender.userId
}

/** Every match is a candidate of at least one source. Fewer candidates mean less to read. */
export function sourcesFor(narrow: Narrow, me: string, parameters: Parameters): readonly Source[] {
  const find = (kind: Condition['kind']) => findCondition(narrow, kind)
  const flagged = (flag: string): Source => ({
    kind: 'few',
    ids: `message_flags f where f.user_id = ${me} and f.${flag}`,
    id: 'f.message_id',
  })
  const within = (ranges: RangesName, extra = ''): Source => ({ kind: 'ranges', ranges, extra })

  const ids = find('id')
  if (ids?.kind === 'id') {
    const requested = `unnest(${parameters.add(ids.messageIds, 'bigint[]')}) requested (id) where true`
    return [{ kind: 'few', ids: requested, id: 'requested.id' }]
  }
  if (find('starred')) return [flagged('is_starred')]
  if (find('alerted')) return [flagged('has_alert_word')]
  if (find('mentioned')) {
    // Written like the partial index, so that it is used.
    const wildcards = `and (m.mentions_channel or m.mentions_topic) and ${mentionsAll(me)}`
    return [flagged('is_mentioned'), within('ranges', wildcards)]
  }
  const senderId = onlySenderOf(narrow)
  if (senderId !== null) {
    const sentMessages = `messages s where s.sender_id = ${parameters.add(senderId, 'bigint')}`
    return [{ kind: 'few', ids: sentMessages, id: 's.id' }]
  }
  if (find('followed')) return [within('followed_topics')]
  if (find('muted')) return [within('muted_ranges'), within('muted_topics')]
  const home = find('home')
  const leavesMutedOut = narrow.conditions.some(({ kind, isNegated }) => kind === 'muted' && isNegated)
  if (leavesMutedOut || (home?.kind === 'home' && !home.namesChannel))
    return [within('unmuted_ranges'), within('shown_topics')]
  return [within('ranges')]
}
