import { domainEvents } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { flagsByUser, type MessageSentWithoutId, renderMessageSent } from './message-sent-event.ts'

const event: MessageSentWithoutId = {
  message: {
    sender_id: 1,
    recipient_id: 2,
    timestamp: 1_800_000_000,
    type: 'stream',
    stream_id: 3,
    display_recipient: 'general',
    subject: '"quoted"',
    content: '<p>hi</p>',
    content_type: 'text/html',
    is_me_message: false,
    sender_email: 'a@x.org',
    sender_full_name: 'A',
    sender_realm_str: '',
    client: 'curl',
    avatar_url: 'https://x.org/a.png',
    reactions: [],
    submessages: [],
    topic_links: [],
  },
  rest: {
    raw_content: 'hi',
    sender_is_gravatar: true,
    recipient_user_ids: null,
    is_public_channel: true,
    flags_by_user: {},
    flags_of_all: [],
    sender_queue_id: null,
    local_id: null,
  },
}

describe('renderMessageSent', () => {
  test('leaves only the ID to insert', () => {
    const { payloadBeforeId, payloadAfterId } = renderMessageSent(event, 'r1')

    const payload = JSON.parse(`${payloadBeforeId}42${payloadAfterId}`) as unknown
    expect(payload).toEqual({ message: { id: 42, ...event.message }, ...event.rest })
    expect(domainEvents.messaging.messageSent.payload.parse(payload)).toEqual(payload)
  })
})

describe('flagsByUser', () => {
  test('collects all flags of a user', () => {
    expect(
      flagsByUser({
        readerIds: [1],
        mentionedUserIds: [1, 2],
        alertedUserIds: [2],
        participantIds: [2],
        calledBotIds: [3],
      }),
    ).toEqual({
      1: ['read', 'mentioned'],
      2: ['mentioned', 'has_alert_word', 'topic_wildcard_mentioned', 'wildcard_mentioned'],
      3: ['mentioned'],
    })
  })
})
