import type { EditHistoryEntry, HistoryVisibility } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { isWithinLimit } from '../access/channel-limit.rules.ts'

/**
 * Edits, newest first, since the message came into the channels that the viewer's API token reaches: what it said before was said
 * elsewhere.
 */
export function historyWithinLimit(
  viewer: Pick<Caller, 'channelIds'>,
  history: readonly EditHistoryEntry[],
): readonly EditHistoryEntry[] {
  const cameAt = history.findIndex(
    ({ prev_stream: from }) => from !== undefined && !isWithinLimit(viewer, from),
  )
  return cameAt < 0 ? history : history.slice(0, cameAt)
}

/** The edits that an organization shows, in their order; of moves nothing but the topic and the channel. */
export function shownHistory(
  history: readonly EditHistoryEntry[],
  visibility: HistoryVisibility,
): readonly EditHistoryEntry[] {
  if (visibility === 'all') return history
  if (visibility === 'none') return []
  return history.filter(isMove).map(withoutTexts)
}

const isMove = ({ prev_topic, prev_stream }: EditHistoryEntry): boolean =>
  prev_topic !== undefined || prev_stream !== undefined

function withoutTexts({
  prev_content: _content,
  prev_rendered_content: _html,
  ...move
}: EditHistoryEntry): EditHistoryEntry {
  return move
}
