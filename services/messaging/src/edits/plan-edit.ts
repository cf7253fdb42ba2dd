import { badRequest, type endpoints, type PolicySubject, type RealmProjection } from '@tms/contracts'
import type { Caller, Request } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { standingOf } from '../directory/standing.ts'
import { listMentioned } from '../groups/group-mentions.ts'
import { checkWildcards } from '../messages/check-wildcards.ts'
import { listMessageViews, type MessageView } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { renderContent } from '../messages/render-content.ts'
import { type MovePlan, planMove } from '../moves/plan-move.ts'
import { hasWidget } from '../submessages/submessage.queries.ts'
import { checkMayEditContent } from './edit-permission.rules.ts'
import { parseEdit, type RequestedEdit } from './edit-request.rules.ts'
import type { NewText } from './editable.queries.ts'

export type EditRequest = Request<typeof endpoints.messaging.editMessage, Context>

/** An edit that is allowed, with all that must be looked up before its transaction. */
export interface EditPlan {
  readonly user: KnownUser
  readonly realm: RealmProjection
  /** The message as it is before. */
  readonly view: MessageView
  readonly edit: RequestedEdit
  readonly text: TextPlan | null
  readonly move: MovePlan | null
}

export interface TextPlan extends NewText {
  /** Mentioned by name or by group, whether the message came to them or not. */
  readonly mentionedUserIds: readonly number[]
  readonly alertedUserIds: readonly number[]
  /** Uploads that the text links. */
  readonly pathIds: readonly string[]
}

/** Checks an edit. Throws the errors of the endpoint. */
export async function planEdit({ input, caller, context }: EditRequest): Promise<EditPlan> {
  const [[view], realm, user] = await Promise.all([
    listMessageViews(context.db, caller, [input.message_id], { html: true }),
    context.directory.getRealm(caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  const standing = standingOf(user, realm, context.now())
  const isWidget = input.content !== undefined && (await hasWidget(context.db, view.id))
  const present = { channelId: view.channel?.id ?? null, topic: view.topic, isWidget }
  const edit = parseEdit(input, present, realm)
  const mover = { caller, user, realm, standing }
  const text = edit.content === null ? null : await planText(context, mover, view, edit)
  const isMove = edit.topic !== null || edit.channelId !== null
  const move = isMove ? await planMove(context, mover, view, edit, input) : null
  return { user, realm, view, edit, text, move }
}

async function planText(
  context: Context,
  { caller, realm, standing }: { caller: Caller; realm: RealmProjection; standing: PolicySubject },
  view: MessageView,
  { content, topic }: RequestedEdit,
): Promise<TextPlan> {
  const message = { senderId: view.senderId, sentAtMs: view.timestamp * 1000 }
  checkMayEditContent(realm, caller.userId, message, context.now().getTime())
  const text = content ?? ''
  const rendered = await renderContent(context, caller, text)
  if (view.channel) {
    const channel = { id: view.channel.id, recipientId: view.recipientId }
    const projection = {
      senderId: caller.userId,
      channel,
      topic: topic ?? view.topic,
      rendered,
      realm,
      standing,
    }
    await checkWildcards(context.db, projection)
  }
  const mentionedUserIds = await listMentioned(context.db, {
    senderId: caller.userId,
    standing,
    realm,
    rendered,
    place: { channelId: view.channel?.id ?? null, recipientId: view.recipientId },
    now: context.now(),
  })
  return {
    content: text,
    html: rendered.html,
    mentionsChannel: rendered.mentionsChannelWildcard,
    mentionsTopic: view.channel !== null && rendered.mentionsTopicWildcard,
    mentionedUserIds,
    alertedUserIds: await context.directory.findAlerted(caller.realmId, text),
    pathIds: rendered.uploadPathIds,
  }
}
