import { badRequest, type endpoints, type PolicySubject, type RealmProjection } from '@tms/contracts'
import type { Caller, Request } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listMentioned } from '../kernel/groups/group-mentions.ts'
import { listMessageViews, type MessageView } from '../kernel/messages/message-view.queries.ts'
import { canSeeMessage } from '../kernel/messages/message-view.rules.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { checkWildcards } from '../messages/check-wildcards.ts'
import { renderContent } from '../messages/render-content.ts'
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
  /** Users mentioned by name or group, whether they received the message or not. */
  readonly mentionedUserIds: readonly number[]
  readonly alertedUserIds: readonly number[]
  /** Uploaded files that the text links. */
  readonly pathIds: readonly string[]
}

/** Checks an edit and plans it. Throws the errors of the endpoint. */
export async function planEdit({ input, caller, context }: EditRequest): Promise<EditPlan> {
  const [[view], realm, user] = await Promise.all([
    listMessageViews(context.db, caller, [input.message_id], { html: true }),
    context.projections.getRealm(caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
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
  { caller, realm, policySubject }: { caller: Caller; realm: RealmProjection; policySubject: PolicySubject },
  view: MessageView,
  { content, topic }: RequestedEdit,
): Promise<TextPlan> {
  const message = { senderId: view.senderId, sentAtMs: view.timestamp * 1000 }
  checkMayEditContent(realm, caller.userId, message, context.now().getTime())
  const text = content ?? ''
  const rendered = await renderContent(context, caller, text)
  if (view.channel) {
    const channel = { id: view.channel.id, recipientId: view.recipientId }
    const wildcardCheck = {
      senderId: caller.userId,
      channel,
      topic: topic ?? view.topic,
      rendered,
      realm,
      policySubject,
    }
    await checkWildcards(context.db, wildcardCheck)
  }
  const mentionedUserIds = await listMentioned(context.db, {
    senderId: caller.userId,
    policySubject: policySubject,
    realm,
    rendered,
    target: { channelId: view.channel?.id ?? null, recipientId: view.recipientId },
    now: context.now(),
  })
  return {
    content: text,
    html: rendered.html,
    mentionsChannel: rendered.mentionsChannelWildcard,
    mentionsTopic: view.channel !== null && rendered.mentionsTopicWildcard,
    mentionedUserIds,
    alertedUserIds: await context.projections.findAlerted(caller.realmId, text),
    pathIds: rendered.uploadPathIds,
  }
}
