import type { Names } from '../foreign/contents.ts'
import type { Fields, NamingRequests } from './sample.ts'

export const json = (value: unknown): string => JSON.stringify(value)

/** Requests that differ in the message, a direct message among them. */
export const ofMessages =
  (more: Fields = {}): NamingRequests =>
  ({ message, privateMessage, directMessage }) =>
    [message, privateMessage, directMessage].map((message_id) => ({ message_id, ...more }))

/** Requests that differ in the channel. */
export const ofChannels =
  (more: Fields = {}): NamingRequests =>
  ({ channel, privateChannel }) =>
    [channel, privateChannel].map((stream_id) => ({ stream_id, ...more }))

/** A text with everything in a message that names an object. */
export const textNaming = ({
  user,
  channelName,
  topic,
  linkifier,
  emojiName,
  filePath,
  message,
}: Names): string =>
  [
    `@_**|${user}**`,
    `#**${channelName}**`,
    `#**${channelName}>${topic}**`,
    `:${emojiName}:`,
    `linkifier ${linkifier}`,
    `[file](${filePath})`,
    `#narrow/near/${message}`,
  ].join(' ')

/** Narrows with each operator that names an object. */
export const narrowsNaming = ({
  user,
  email,
  channel,
  channelName,
  message,
  topic,
}: Names): readonly string[] => [
  json([['channel', Number(channel)]]),
  json([['channel', channelName]]),
  json([
    ['channel', channelName],
    ['topic', topic],
  ]),
  json([['sender', Number(user)]]),
  json([['sender', email]]),
  json([['dm', [Number(user)]]]),
  json([['dm-including', email]]),
  json([['id', message]]),
  json([
    ['near', message],
    ['search', 'hello'],
  ]),
]

/** The input of an endpoint that serves a picture of a user or an organization, from the picture's URL. */
export function pictureOf(url: string): { realm_id: string; filename: string } {
  const [, realm_id = '', filename = ''] =
    /^\/user_avatars\/(\d+)\/(?:emoji\/images\/|realm\/)?([^?]+)/.exec(url) ?? []
  return { realm_id, filename }
}
