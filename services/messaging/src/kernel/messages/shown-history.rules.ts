import type { EditHistoryEntry, HistoryVisibility } from '@tms/contracts'

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
