import type { PushedMessage } from '@tms/contracts'
import { createLocale } from '../../kernel/languages/locale.ts'
import type { Push, SentTo } from '../../kernel/pushes/push.ts'
import { summaryOf } from '../notice-text.rules.ts'
import { encryptForClient } from './encrypt-for-client.ts'

/** In base64, with a nonce and what is around it, within the 4 KiB of Apple's and Google's services. */
export const MAX_CLEAR_BYTES = 2_800
/** Characters of a name; longer ones are cut. */
const MAX_NAME_CHARACTERS = 100
/** What becomes of notifications that are too large: fewer members of the conversation, then less of the text. */
const SIZES = [
  { members: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY },
  { members: 10, characters: Number.POSITIVE_INFINITY },
  { members: 10, characters: 100 },
  { members: 10, characters: 20 },
] as const
type Size = (typeof SIZES)[number]

/** The key of a client that notifications are encrypted with. */
export interface ClientKey {
  readonly pushKeyId: number
  readonly pushKey: string
}

/** The key that notifications to a device are encrypted with; null if they aren't. */
export const clientKeyOf = ({ pushKey, pushKeyId }: SentTo): ClientKey | null =>
  pushKey === null || pushKeyId === null ? null : { pushKey, pushKeyId }

/** The JSON that a client reads after it has decrypted it. */
export function writeClearText(push: Push, showsContent: boolean): string {
  const texts = SIZES.map((size) => () => JSON.stringify(fieldsOf(push, showsContent, size)))
  let text = ''
  for (const write of texts) {
    text = write()
    if (Buffer.byteLength(text) <= MAX_CLEAR_BYTES) break
  }
  return text
}

/** What a client finds its key by, and decrypts. */
interface EncryptedPayload {
  readonly push_key_id: number
  readonly encrypted_data: string
}

/** The `data` of a message to an Android app: every value is a string. */
export function writeSealedFcmData(
  push: Push,
  key: ClientKey,
  showsContent: boolean,
): Record<string, string> {
  const { push_key_id, encrypted_data } = writeSealedFcmPayload(push, key, showsContent)
  return { push_key_id: String(push_key_id), encrypted_data }
}

/** What a push relay service makes that `data` of. */
export const writeSealedFcmPayload = (
  push: Push,
  { pushKeyId, pushKey }: ClientKey,
  showsContent: boolean,
): EncryptedPayload => ({
  push_key_id: pushKeyId,
  encrypted_data: encryptForClient(writeClearText(push, showsContent), pushKey),
})

/** The payload of a notification to an Apple app, whose extension replaces the title. */
export function writeSealedApnsPayload(
  push: Push,
  key: ClientKey,
  showsContent: boolean,
): EncryptedPayload & { readonly aps: Record<string, unknown> } {
  return {
    ...writeSealedFcmPayload(push, key, showsContent),
    aps:
      push.notice.kind === 'remove'
        ? { 'content-available': 1 }
        : { 'mutable-content': 1, sound: 'default', alert: { title: 'New notification' } },
  }
}

function fieldsOf({ notice, realm, userId, language }: Push, showsContent: boolean, size: Size) {
  const common = { realm_url: realm.url, realm_name: cut(realm.name, MAX_NAME_CHARACTERS), user_id: userId }
  switch (notice.kind) {
    case 'message':
    case 'summary': {
      const locale = createLocale(language)
      const { title, body } = notice.kind === 'summary' ? summaryOf(notice, locale) : { title: '', body: '' }
      const content = notice.kind === 'summary' ? `${title} ${body}`.trim() : notice.message.content
      const { message } = notice
      return {
        ...{ type: 'message', ...common, message_id: message.message_id, time: message.time },
        content: showsContent ? cut(content, size.characters) : locale.text('push.message'),
        sender_id: message.sender.user_id,
        sender_full_name: showsContent
          ? cut(message.sender.full_name, MAX_NAME_CHARACTERS)
          : common.realm_name,
        sender_avatar_url: showsContent ? message.sender.avatar_url : realm.url,
        ...conversationFields(message, showsContent, size),
      }
    }
    case 'remove':
      return { type: 'remove', ...common, message_ids: notice.messageIds }
    case 'test':
      return { type: 'test', ...common, time: notice.time }
  }
}

function conversationFields({ channel, members, group }: PushedMessage, showsContent: boolean, size: Size) {
  const ids = members.map(({ user_id }) => user_id).sort((a, b) => a - b)
  return {
    ...(channel
      ? {
          ...{ recipient_type: 'channel', channel_id: channel.channel_id },
          ...(showsContent
            ? { channel_name: channel.name, topic: channel.topic }
            : { channel_name: '', topic: '' }),
        }
      : { recipient_type: 'direct', recipient_user_ids: ids.slice(0, size.members) }),
    ...(group &&
      showsContent && {
        mentioned_user_group_id: group.group_id,
        mentioned_user_group_name: cut(group.name, MAX_NAME_CHARACTERS),
      }),
  }
}

const cut = (text: string, characters: number): string => [...text].slice(0, characters).join('')
