import type { endpoints, RealmProjection } from '@tms/contracts'
import type { Caller, Request } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import { getVisibleMessage } from '../kernel/messages/visible-message.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { ConcernedUsers } from '../messages/notified-users.rules.ts'
import { renderContent } from '../messages/render-content.ts'
import { resolveMentions } from '../messages/resolve-mentions.ts'
import { type MovePlan, planMove } from '../moves/plan-move.ts'
import { hasWidget } from '../submessages/submessage.queries.ts'
import { checkMayEditContent } from './edit-permission.rules.ts'
import { parseEdit, type RequestedEdit } from './edit-request.rules.ts'
import type { NewText } from './text.queries.ts'

export type EditRequest = Request<typeof endpoints.messaging.editMessage, Context>

/** A permitted edit, with everything that must be looked up before its transaction. */
export interface EditPlan {
  readonly user: KnownUser
  readonly realm: RealmProjection
  /** The message before the edit. */
  readonly view: MessageView
  readonly edit: RequestedEdit
  readonly text: TextPlan | null
  readonly move: MovePlan | null
}

export interface TextPlan extends NewText {
  /** Users that the new text concerns, whether they received the message or not. */
  readonly concerned: ConcernedUsers
  /** Uploaded files that the text links. */
  readonly pathIds: readonly string[]
}

/** Checks an edit and plans it. Throws the errors of the endpoint. */
export async function planEdit({ input, caller, context }: EditRequest): Promise<EditPlan> {
  const [view, realm, user] = await Promise.all([
    getVisibleMessage(context.db, caller, input.message_id, { texts: { html: true } }),
    context.projections.getRealm(caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  const policySubject = policySubjectOf(user, realm, context.now())
  const isWidget = input.content !== undefined && (await hasWidget(context.db, view.id))
  const currentMessage = { channelId: view.channel?.id ?? null, topic: view.topic, isWidget }
  const edit = parseEdit(input, currentMessage, realm)
  const mover = { caller, user, realm, policySubject }
  const text = edit.content === null ? null : await planText(context, mover, view, edit)
  const isMove = edit.topic !== null || edit.channelId !== null
  const move = isMove ? await planMove(context, mover, view, edit, input) : null
  return { user, realm, view, edit, text, move }
}

async function planText(
  context: Context,
  { caller, user, realm }: { caller: Caller; user: KnownUser; realm: RealmProjection },
  view: MessageView,
  { content, topic }: RequestedEdit,
): Promise<TextPlan> {
  const message = { senderId: view.senderId, sentAtMs: view.timestamp * 1000 }
  checkMayEditContent(realm, caller.userId, message, context.now().getTime())
  const text = content ?? ''
  const rendered = await renderContent(context, caller, text)
  const { recipientId, channel } = view
  const concerned = await resolveMentions(context, {
    author: user,
    realm,
    target: { recipientId, channelId: channel?.id ?? null, topic: topic ?? view.topic },
    content: text,
    rendered,
  })
  return {
    content: text,
    html: rendered.html,
    mentionsChannel: rendered.mentionsChannelWildcard,
    mentionsTopic: channel !== null && rendered.mentionsTopicWildcard,
    concerned,
    pathIds: rendered.uploadPathIds,
  }
}
