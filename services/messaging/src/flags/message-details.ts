import type { domainEvents, PayloadOf } from '@tms/contracts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import { countsAsMention, flagsOf } from '../kernel/messages/message-view.rules.ts'

type Details = NonNullable<PayloadOf<typeof domainEvents.messaging.messageFlagsUpdated>['message_details']>

/** Details of messages that have become unread, by ID. */
export function detailsOfUnread(userId: number, views: readonly MessageView[]): Details {
  return Object.fromEntries(
    views.map((view) => [
      view.id,
      { ...describeLocation(view, userId), ...(isAmongMentions(view) ? { mentioned: true } : {}) },
    ]),
  )
}

function isAmongMentions(view: MessageView): boolean {
  const isWildcard = flagsOf(view).includes('wildcard_mentioned')
  const { isMentioned } = view
  return countsAsMention({ isMentioned, isWildcard, isMuted: view.channel?.isMuted ?? false })
}

function describeLocation({ channel, topic, userIds }: MessageView, userId: number) {
  if (!channel) return { type: 'private', user_ids: (userIds ?? []).filter((id) => id !== userId) }
  return { type: 'stream', stream_id: channel.id, topic, unmuted_stream_msg: !channel.isMuted }
}
