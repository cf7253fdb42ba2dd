import type { Channel, ChannelModel } from 'amqplib'

/**
 * Closes a channel or a connection and resolves once it is closed. The client library's own promise never settles if
 * the connection dies before the broker has answered; only the `close` event reports that.
 */
export function closeQuietly(opened: Pick<Channel | ChannelModel, 'once' | 'close'>): Promise<void> {
  return new Promise((resolve) => {
    opened.once('close', () => resolve())
    opened.close().then(resolve, () => resolve())
  })
}
