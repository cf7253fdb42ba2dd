import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../kernel/context.ts'
import { isChannelType } from '../kernel/messages/message-target.rules.ts'
import type { TopicTarget } from '../kernel/messages/posting-target.queries.ts'
import type { CheckedMessage, PostingTarget } from './checked-message.ts'
import { prepareChannelMessage } from './prepare-channel-message.ts'
import { prepareDirectMessage } from './prepare-direct-message.ts'
import type { MessageRequest } from './send-request.ts'

/**
 * Prepares a message to be stored: finds its target, checks the rules, renders its text. Throws what forbids it. With `mayRecall`
 * its target may be outdated: then it has a revision, to be compared when the message is stored.
 */
export function prepareMessage(
  context: Context,
  request: MessageRequest,
  options: { readonly mayRecall?: boolean } = {},
): Promise<CheckedMessage> {
  return isChannelType(request.input.type)
    ? prepareChannelMessage(context, request, options)
    : prepareDirectMessage(context, request)
}

/**
 * Prepares a message again after its channel has changed. Mostly another user has joined or left, which doesn't affect the
 * checks: then only the version or the number of joins is new. Who joins may be in a group that the message mentions.
 */
export async function prepareAgain(
  context: Context,
  request: MessageRequest,
  checked: CheckedMessage,
): Promise<CheckedMessage> {
  const target = await findUnchangedTarget(context, request.sender, checked.target)
  if (target === null) return prepareMessage(context, request)
  const before = checked.target
  const haveJoined = 'joins' in before && before.joins !== target.joins
  return haveJoined && checked.rendered.mentionedGroupIds.length > 0
    ? prepareMessage(context, request)
    : { ...checked, target }
}

/** The target with its current version and joins, just read; null if anything else of it that was checked has changed. */
async function findUnchangedTarget(
  { topicTargets }: Context,
  sender: MessageRequest['sender'],
  target: PostingTarget,
): Promise<TopicTarget | null> {
  if (!('channel' in target)) return null
  const { reference, topic } = target
  // The same question, so that this is recalled next time.
  const current = await topicTargets.find({ user: sender, reference, topic })
  const { version, joins, revision } = target
  const isUnchanged = current && isDeepStrictEqual({ ...current, version, joins, revision }, target)
  return isUnchanged ? current : null
}
