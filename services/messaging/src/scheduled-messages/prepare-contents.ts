import { prepare } from '../messages/send-message.ts'
import type { SendRequest } from '../messages/send-request.ts'
import type { Contents } from './scheduled-message.queries.ts'

/**
 * Makes every check of sending a message now, and returns the message to store, with the uploaded files that its
 * text links. Throws what sending would throw.
 */
export async function prepareContents(
  sendRequest: Omit<SendRequest, 'echo' | 'idempotencyKey' | 'hooks'>,
): Promise<{ contents: Contents; pathIds: readonly string[] }> {
  const checked = await prepare({ ...sendRequest, echo: null, idempotencyKey: null, hooks: [] })
  const { target, topic, content, rendered } = checked.buildContent({
    mentionedUserIds: [],
    alertedUserIds: [],
  })
  const text = { topic, content, renderedContent: rendered.html }
  const { pathIds } = checked
  if ('channel' in target)
    return { contents: { ...text, channelId: target.channel.id, userIds: null }, pathIds }
  const others = target.users.map(({ user_id }) => user_id).filter((id) => id !== sendRequest.sender.userId)
  const userIds = others.length === 0 ? [sendRequest.sender.userId] : others.sort((a, b) => a - b)
  return { contents: { ...text, channelId: null, userIds }, pathIds }
}
