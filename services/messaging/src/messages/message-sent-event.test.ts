import { domainEvents } from '@tms/contracts'
import { expect, test } from 'vitest'
import { type MessageSentWithoutId, renderWithoutId, withMessageIdSql } from './message-sent-event.ts'

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
  raw_content: 'hi',
  sender_is_gravatar: true,
  recipient_user_ids: null,
  is_public_channel: true,
  flags_by_user: {},
  flags_of_all: [],
  sender_queue_id: null,
  local_id: null,
}

/** What PostgreSQL makes of the concatenation. */
const evaluate = (sql: string, values: Record<string, string>): string =>
  sql
    .split(' || ')
    .map((part) => values[part] ?? part.replace(/::text$/, '').replace(/^'(.*)'$/, '$1'))
    .join('')

test('only the ID of the message is missing in the rendered payload', () => {
  const sql = withMessageIdSql('next.id', '$5')
  const payload: unknown = JSON.parse(evaluate(sql, { 'next.id': '42', '$5::text': renderWithoutId(event) }))
  expect(payload).toEqual({ ...event, message: { id: 42, ...event.message } })
  expect(domainEvents.messaging.messageSent.payload.parse(payload)).toEqual(payload)
})

test('refuses a payload that begins with anything but its message', () => {
  const { message, ...others } = event
  expect(() => renderWithoutId({ ...others, message })).toThrow('begin with its message')
})
