import type { PushedMessage, PushNotice } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViewsOfUsers, type MessageView } from '../kernel/messages/message-view.queries.ts'
import type { ShownUser } from '../kernel/projections/projection-reader.ts'
import { findUsersOf, shownTopicOf } from '../messages/present-messages.ts'
import { messageUrl } from '../rendering/syntax/channel-urls.ts'
import { DELETED } from './batch.queries.ts'
import { listGroupNames } from './candidate.queries.ts'
import type { WaitingNotice } from './push-notice.queries.ts'
import { MAX_HTML_FOR_PUSH } from './push-text.rules.ts'

/** Members of a direct conversation that are listed; the first ones. A device shows few, and a call takes a MiB. */
const MAX_MEMBERS = 50

type Viewer = Pick<Caller, 'realmId' | 'userId' | 'role'>

/** What notices of some users are made of. */
export interface PushContents {
  /** The messages on the devices of each user. */
  readonly onDevices: ReadonlyMap<number, ReadonlySet<number>>
  /** The messages of the notices as each user sees them, by user. */
  readonly views: ReadonlyMap<number, readonly MessageView[]>
  /** Names of the groups that the notices mention. */
  readonly groupNames: ReadonlyMap<number, string>
}

/** Reads what notices of several users show, by a few statements for all of them. */
export async function readPushContents(
  db: Queryable,
  notices: readonly WaitingNotice[],
  onDevices: PushContents['onDevices'],
): Promise<PushContents> {
  const shown = notices.filter((notice) => isToAppear(notice, onDevices))
  const wanted = [...Map.groupBy(shown, ({ userId }) => userId)].map(([userId, ofUser]) => ({
    realmId: ofUser[0]?.realmId ?? 0,
    userId,
    messageIds: ofUser.flatMap(({ messageIds }) => messageIds),
  }))
  const groupIds = new Set(shown.flatMap(({ groupId }) => groupId ?? []))
  const [views, groupNames] = await Promise.all([
    listMessageViewsOfUsers(db, wanted, { html: MAX_HTML_FOR_PUSH, raw: DELETED.length + 1 }),
    listGroupNames(db, [...groupIds]),
  ])
  return { onDevices, views, groupNames }
}

const isToAppear = (
  { userId, trigger, messageIds }: WaitingNotice,
  onDevices: PushContents['onDevices'],
): boolean => trigger !== null && !messageIds.some((messageId) => onDevices.get(userId)?.has(messageId))

/**
 * What is to be handed over of the notices of one user, as the user sees the messages now: those that were read or
 * deleted meanwhile, that the user may no longer see, or that are on the devices already are left out. `write` makes the
 * texts.
 */
export async function describePushes(
  context: Context,
  notices: readonly WaitingNotice[],
  contents: PushContents,
  write: (html: string) => string,
): Promise<PushNotice[]> {
  const [first] = notices
  if (first === undefined) return []
  const { realmId, userId } = first
  const base = { realm_id: realmId, user_id: userId }
  const onDevices = contents.onDevices.get(userId) ?? new Set()
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
    .filter((notice) => isToAppear(notice, contents.onDevices))
    .toSorted((a, b) => (a.messageIds[0] ?? 0) - (b.messageIds[0] ?? 0))
  const messages =
    shown.length === 0 ? new Map() : await describe(context, { realmId, userId }, shown, contents, write)
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
  { realmId, userId }: Pick<WaitingNotice, 'realmId' | 'userId'>,
  notices: readonly WaitingNotice[],
  { views: viewsOf, groupNames }: PushContents,
  write: (html: string) => string,
): Promise<Map<string, PushedMessage>> {
  const { url } = await context.projections.getRealm(realmId)
  const { role } = await context.projections.getUser(userId)
  const viewer: Viewer = { realmId, userId, role }
  const views = new Map(
    (viewsOf.get(userId) ?? [])
      .filter((view) => !view.isRead && view.raw !== DELETED && canSeeMessage(viewer, view))
      .map((view) => [view.id, view]),
  )
  const userOf = await findUsersOf(context, viewer, [...views.values()])
  return new Map(
    notices.flatMap(({ id, trigger, groupId, messageIds: [messageId] }): [string, PushedMessage][] => {
      const view = messageId === undefined ? undefined : views.get(messageId)
      if (view === undefined || trigger === null) return []
      const groupName = groupId === null ? undefined : groupNames.get(groupId)
      const group =
        groupId === null || groupName === undefined ? null : { group_id: groupId, name: groupName }
      return [[id, { ...toPushed(view, userOf, url), content: write(view.html ?? ''), trigger, group }]]
    }),
  )
}

function toPushed(
  view: MessageView,
  userOf: (userId: number) => ShownUser,
  baseUrl: string,
): Omit<PushedMessage, 'content' | 'trigger' | 'group'> {
  const { channel, id } = view
  const { user_id, email, full_name, avatar_url } = userOf(view.senderId)
  const userIds = view.userIds ?? []
  return {
    message_id: id,
    time: view.timestamp,
    sender: { user_id, email, full_name, avatar_url: new URL(avatar_url ?? '', baseUrl).href },
    channel: channel && { channel_id: channel.id, name: channel.name, topic: shownTopicOf(view, false) },
    members: channel
      ? []
      : userIds
          .map(userOf)
          .map((member) => ({ user_id: member.user_id, full_name: member.full_name }))
          .toSorted((a, b) => a.user_id - b.user_id)
          .slice(0, MAX_MEMBERS),
    path: channel
      ? messageUrl({ channelId: channel.id, name: channel.name }, view.topic, id)
      : `/#narrow/dm/${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}/near/${id}`,
  }
}
