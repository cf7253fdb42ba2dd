import type { PushedMessage, PushNotice } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews, type MessageView } from '../kernel/messages/message-view.queries.ts'
import { type PresentedMessage, presentMessages } from '../messages/present-messages.ts'
import { messageUrl } from '../rendering/syntax/channel-urls.ts'
import { DELETED } from './batch.queries.ts'
import { listGroupNames } from './candidate.queries.ts'
import type { WaitingNotice } from './push-notice.queries.ts'

/** Members of a direct conversation that are listed; the first ones. A device shows few, and a call takes a MiB. */
const MAX_MEMBERS = 50

type Viewer = Pick<Caller, 'realmId' | 'userId' | 'role'>

/**
 * What is to be handed over of the notices of one user, as the user sees the messages now: those that were read or
 * deleted meanwhile, that the user may no longer see, or that are on the devices already are left out. `write` makes the
 * texts.
 */
export async function describePushes(
  context: Context,
  { realmId, userId }: Pick<WaitingNotice, 'realmId' | 'userId'>,
  notices: readonly WaitingNotice[],
  onDevices: ReadonlySet<number>,
  write: (html: string) => string,
): Promise<PushNotice[]> {
  const base = { realm_id: realmId, user_id: userId }
  const removals = notices.flatMap(({ id, trigger, messageIds }): PushNotice[] =>
    trigger === null
      ? [
          {
            ...{ notice_id: id, ...base, message: null },
            ...{ removed_message_ids: [...messageIds], unread_count: onDevices.size },
          },
        ]
      : [],
  )
  const shown = notices
    .filter(
      ({ trigger, messageIds }) =>
        trigger !== null && !messageIds.some((messageId) => onDevices.has(messageId)),
    )
    .toSorted((a, b) => (a.messageIds[0] ?? 0) - (b.messageIds[0] ?? 0))
  const messages = shown.length === 0 ? new Map() : await describe(context, base, shown, write)
  const unread = new Set(onDevices)
  return [
    ...removals,
    ...shown.flatMap(({ id }): PushNotice[] => {
      const message: PushedMessage | undefined = messages.get(id)
      if (message === undefined || unread.has(message.message_id)) return []
      unread.add(message.message_id)
      return [{ notice_id: id, ...base, message, removed_message_ids: [], unread_count: unread.size }]
    }),
  ]
}

/** The messages by notice. */
async function describe(
  context: Context,
  { realm_id: realmId, user_id: userId }: { readonly realm_id: number; readonly user_id: number },
  notices: readonly WaitingNotice[],
  write: (html: string) => string,
): Promise<Map<string, PushedMessage>> {
  const { url } = await context.projections.getRealm(realmId)
  const { role } = await context.projections.getUser(userId)
  const viewer: Viewer = { realmId, userId, role }
  const ids = notices.flatMap(({ messageIds }) => messageIds)
  const found = await listMessageViews(context.db, viewer, ids, { html: true, raw: true })
  const views = found.filter((view) => !view.isRead && view.raw !== DELETED && canSeeMessage(viewer, view))
  const presented = await presentMessages(context, viewer, views, {
    applyMarkdown: true,
    clientGravatar: false,
    knowsEmptyTopics: false,
  })
  const groupNames = await listGroupNames(
    context.db,
    notices.flatMap(({ groupId }) => groupId ?? []),
  )
  return new Map(
    notices.flatMap(({ id, trigger, groupId, messageIds }): [string, PushedMessage][] => {
      const index = views.findIndex((view) => view.id === messageIds[0])
      const [view, message] = [views[index], presented[index]]
      if (view === undefined || message === undefined || trigger === null) return []
      const groupName = groupId === null ? undefined : groupNames.get(groupId)
      const group =
        groupId === null || groupName === undefined ? null : { group_id: groupId, name: groupName }
      return [[id, { ...toPushed(view, message, url), content: write(view.html ?? ''), trigger, group }]]
    }),
  )
}

function toPushed(
  view: MessageView,
  message: PresentedMessage,
  baseUrl: string,
): Omit<PushedMessage, 'content' | 'trigger' | 'group'> {
  const { channel, id } = view
  const recipient = typeof message.display_recipient === 'string' ? [] : message.display_recipient
  return {
    message_id: id,
    time: view.timestamp,
    sender: {
      user_id: message.sender_id,
      email: message.sender_email,
      full_name: message.sender_full_name,
      avatar_url: new URL(message.avatar_url ?? '', baseUrl).href,
    },
    channel: channel && { channel_id: channel.id, name: channel.name, topic: message.subject },
    members: recipient
      .map((member) => ({ user_id: member.id, full_name: member.full_name }))
      .toSorted((a, b) => a.user_id - b.user_id)
      .slice(0, MAX_MEMBERS),
    path: channel
      ? messageUrl({ channelId: channel.id, name: channel.name }, view.topic, id)
      : `/#narrow/dm/${(view.userIds ?? []).join(',')}-${(view.userIds ?? []).length > 2 ? 'group' : 'dm'}/near/${id}`,
  }
}
