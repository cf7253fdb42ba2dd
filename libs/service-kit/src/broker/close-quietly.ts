import type { Channel, ChannelModel } from 'amqplib'

/**
 * Closes a channel or a connection, and resolves once it is closed, in whatever way. What the client library promises stays
 * open for ever where the connection dies before the broker has answered; then the event alone says that it is over.
 */
export function closeQuietly(opened: Pick<Channel | ChannelModel, 'once' | 'close'>): Promise<void> {
  return new Promise((resolve) => {
    opened.once('close', () => resolve())
    opened.close().then(resolve, () => resolve())
  })
}
