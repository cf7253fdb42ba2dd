import type { Outgoing } from '../messages/outgoing.ts'
import { prepare } from '../messages/send-message.ts'
import type { Contents } from './scheduled-message.queries.ts'

/**
 * Makes every check that sending now would make, and returns the message as it is to be kept, with the uploads that
 * its text links. Throws what sending would.
 */
export async function prepareContents(
  outgoing: Omit<Outgoing, 'echo' | 'key' | 'companions'>,
): Promise<{ contents: Contents; pathIds: readonly string[] }> {
  const delivery = await prepare({ ...outgoing, echo: null, key: null, companions: [] })
  const { place, topic, content, rendered } = delivery.draft({ mentionedUserIds: [], alertedUserIds: [] })
  const text = { topic, content, renderedContent: rendered.html }
  const { pathIds } = delivery
  if ('channel' in place)
    return { contents: { ...text, channelId: place.channel.id, userIds: null }, pathIds }
  const others = place.users.map(({ user_id }) => user_id).filter((id) => id !== outgoing.sender.userId)
  const userIds = others.length === 0 ? [outgoing.sender.userId] : others.sort((a, b) => a - b)
  return { contents: { ...text, channelId: null, userIds }, pathIds }
}
