import type { Context } from '../kernel/context.ts'
import { prepareMessage } from '../messages/prepare-message.ts'
import type { MessageRequest } from '../messages/send-request.ts'
import type { Contents } from './scheduled-message.queries.ts'

/**
 * Makes every check of sending a message now, and returns the message to store, with the uploaded files that its
 * text links. Throws what sending would throw.
 */
export async function prepareContents(
  context: Context,
  request: Omit<MessageRequest, 'echo'>,
): Promise<{ contents: Contents; pathIds: readonly string[] }> {
  const { target, content, rendered } = await prepareMessage(context, { ...request, echo: null })
  const text = { content, renderedContent: rendered.html }
  const pathIds = rendered.uploadPathIds
  if ('channel' in target)
    return {
      contents: { ...text, topic: target.topic, channelId: target.channel.id, userIds: null },
      pathIds,
    }
  const others = target.userIds.filter((id) => id !== request.sender.userId)
  const userIds = others.length === 0 ? [request.sender.userId] : others
  return { contents: { ...text, topic: '', channelId: null, userIds }, pathIds }
}
