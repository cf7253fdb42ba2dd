import type { PushedMessage } from '@tms/contracts'
import { expect, test } from 'vitest'
import type { Push } from '../../kernel/pushes/push.ts'
import { writeApnsPayload, writeFcmData, writeRelayedApnsPayload } from './app-payload.rules.ts'

/** What Google's and Apple's services take. */
const MAX_BYTES = 4_096
const long = (characters: number) => '🐙'.repeat(characters)

const message = {
  ...{ message_id: 2 ** 40, time: 2 ** 31, path: '/', content: `${long(200)}…` },
  sender: {
    ...{ user_id: 2 ** 31, email: `${'a'.repeat(200)}@example.com`, full_name: long(100) },
    avatar_url: `https://chat.example.com/user_avatars/2/${'a'.repeat(40)}.png?version=1`,
  },
}
const conversation: PushedMessage = {
  ...{ ...message, channel: null, trigger: 'direct_message', group: null },
  members: Array.from({ length: 50 }, (_, index) => ({ user_id: 2 ** 31 + index, full_name: long(100) })),
}
const mention: PushedMessage = {
  ...{ ...message, members: [], trigger: 'mentioned' },
  channel: { channel_id: 2 ** 31, name: long(60), topic: long(60) },
  group: { group_id: 2 ** 31, name: long(100) },
}

test.each([
  ['a conversation of many', conversation],
  ['a mention of a group', mention],
])('%s with the longest names fits', (_, shown) => {
  const push: Push = {
    ...{
      id: '1',
      notice: { kind: 'message', unreadCount: 1_000, message: shown },
      realmId: 1,
      userId: 2 ** 31,
    },
    realm: { url: 'https://chat.example.com', name: long(40), requiresEncryption: false },
    ...{ language: 'de', ttlSeconds: 60 },
  }
  for (const write of [writeApnsPayload, writeFcmData, writeRelayedApnsPayload])
    expect(Buffer.byteLength(JSON.stringify(write(push, true))), write.name).toBeLessThanOrEqual(MAX_BYTES)
})
