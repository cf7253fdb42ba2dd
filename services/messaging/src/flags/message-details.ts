import type { MessageView } from '../messages/message-view.queries.ts'
import { flagsOf } from '../messages/message-view.rules.ts'

const MENTIONS: ReadonlySet<string> = new Set(['mentioned', 'wildcard_mentioned'])

/** Where each message is that has become unread, keyed by its ID. */
export function detailsOfUnread(userId: number, views: readonly MessageView[]): Record<string, unknown> {
  const details = views.map((view) => {
    const mention = flagsOf(view).some((flag) => MENTIONS.has(flag)) ? { mentioned: true } : {}
    return [String(view.id), { ...whereIs(view, userId), ...mention }] as const
  })
  return Object.fromEntries(details)
}

function whereIs({ channel, topic, userIds }: MessageView, userId: number) {
  if (!channel) return { type: 'private', user_ids: (userIds ?? []).filter((id) => id !== userId) }
  return { type: 'stream', stream_id: channel.id, topic, unmuted_stream_msg: !channel.isMuted }
}
