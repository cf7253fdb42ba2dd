import {
  badRequest,
  domainEvents,
  type EditedRecipient,
  type endpoints,
  maxTypingAudience,
} from '@tms/contracts'
import { type Caller, type Handler, publishUnsequenced, type Request } from '@tms/service-kit'
import { checkMayEditContent } from '../edits/edit-permission.rules.ts'
import type { Context } from '../kernel/context.ts'
import { excludeGuestsNotSeeingAll } from '../kernel/guest-visibility/visible-users.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import { getVisibleMessage } from '../kernel/messages/visible-message.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { hasWidget } from '../submessages/submessage.queries.ts'
import { listSomeReaders } from './typing.queries.ts'
import { listTypingRecipients } from './typing.rules.ts'

type Endpoint = typeof endpoints.messaging.setEditTypingStatus

export const handleSetEditTypingStatus: Handler<Endpoint, Context> = (request) => publishEditTyping(request)

export const handleSetMessageEditTyping: Handler<typeof endpoints.messaging.setMessageEditTyping, Context> = (
  request,
) => publishEditTyping(request)

/**
 * Publishes that the caller edits a message, as typing: nothing is stored, and the handler doesn't wait for the log.
 * Throws BAD_REQUEST unless the caller may edit its text.
 */
async function publishEditTyping({
  input,
  caller,
  context,
  requestId,
  log,
}: Pick<Request<Endpoint, Context>, 'input' | 'caller' | 'context' | 'requestId' | 'log'>): Promise<
  Record<never, never>
> {
  const [view, realm, editor] = await Promise.all([
    getVisibleMessage(context.db, caller, input.message_id),
    context.projections.getRealm(caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  const message = { senderId: view.senderId, sentAtMs: view.timestamp * 1000 }
  checkMayEditContent(realm, caller.userId, message, context.now().getTime())
  if (await hasWidget(context.db, view.id)) throw badRequest('Widgets cannot be edited.')
  checkShowsTyping(editor, view)

  const readers = await findReaders(context, caller, view)
  if (readers === null) return {}
  const user_ids = listTypingRecipients(
    await excludeGuestsNotSeeingAll(context.db, realm, readers, view.channel ? [editor] : readers),
  )
  if (user_ids.length === 0) return {}
  const payload = {
    user_ids,
    op: input.op,
    sender_id: editor.user_id,
    message_id: view.id,
    recipient: recipientOf(view),
  }
  const cause = { realmId: caller.realmId, requestId }
  publishUnsequenced(context.publisher, domainEvents.messaging.editTypingChanged, payload, cause).catch(
    (err: unknown) => log.debug({ err, requestId }, 'notification about editing lost'),
  )
  return {}
}

function checkShowsTyping({ settings }: KnownUser, { channel }: MessageView): void {
  if (channel && !settings.send_stream_typing_notifications)
    throw badRequest('User has disabled typing notifications for channel messages')
  if (!channel && !settings.send_private_typing_notifications)
    throw badRequest('User has disabled typing notifications for direct messages')
}

/** Those who follow the conversation or channel and can read the message; null if they are too many. */
async function findReaders(
  { db, projections }: Pick<Context, 'db' | 'projections'>,
  { realmId }: Pick<Caller, 'realmId'>,
  view: MessageView,
): Promise<readonly KnownUser[] | null> {
  const readerIds = view.channel
    ? await listSomeReaders(db, { id: view.id, channelId: view.channel.id }, maxTypingAudience + 1)
    : (view.userIds ?? [])
  if (readerIds.length > maxTypingAudience) return null
  return [...(await projections.findUsersByIds(realmId, readerIds)).values()]
}

function recipientOf({ channel, topic, userIds }: MessageView): EditedRecipient {
  if (channel) return { type: 'channel', channel_id: channel.id, topic }
  return { type: 'direct', user_ids: (userIds ?? []).toSorted((a, b) => a - b) }
}
