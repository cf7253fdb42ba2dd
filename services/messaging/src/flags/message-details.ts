import type { MessageView } from '../messages/message-view.queries.ts'
import { flagsOf } from '../messages/message-view.rules.ts'

/** Where each message is that has become unread, keyed by its ID. */
export function detailsOfUnread(userId: number, views: readonly MessageView[]): Record<string, unknown> {
  const details = views.map((view) => {
    return [
      String(view.id),
      { ...whereIs(view, userId), ...(counts(view) ? { mentioned: true } : {}) },
    ] as const
  })
  return Object.fromEntries(details)
}

/** Whether it is among one's mentions while it is unread: one of everybody isn't, where messages are muted. */
function counts(view: MessageView): boolean {
  const flags = flagsOf(view)
  return flags.includes('mentioned') || (flags.includes('wildcard_mentioned') && !view.channel?.isMuted)
}

function whereIs({ channel, topic, userIds }: MessageView, userId: number) {
  if (!channel) return { type: 'private', user_ids: (userIds ?? []).filter((id) => id !== userId) }
  return { type: 'stream', stream_id: channel.id, topic, unmuted_stream_msg: !channel.isMuted }
}
