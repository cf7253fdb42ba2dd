import type { MessageRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { renderRequest } from './request.rules.ts'

const direct: MessageRecord = {
  id: 9,
  type: 'private',
  sender_id: 3,
  sender_full_name: 'Ann & Ben',
  sender_email: 'ann@example.com',
  sender_realm_str: '',
  recipient_id: 40,
  display_recipient: [],
  subject: '',
  content: 'psst *you*',
  content_type: 'text/x-markdown',
  timestamp: 1_700_000_000,
  client: 'website',
  avatar_url: null,
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
}
const requestBody = (service: { interface: number }, message: MessageRecord = direct) =>
  renderRequest({
    bot: { user_id: 5, email: 'echo-bot@example.com', full_name: 'Echo' },
    service: { base_url: 'https://example.com', token: 'secret', ...service },
    realm: { realm_id: 2, url: 'https://team.example.com:8443' },
    message,
    html: '<p>psst <em>you</em></p>',
  })

describe('the request to an outgoing webhook', () => {
  test('has the message, raw and rendered, and its sender', () => {
    const { body, contentType } = requestBody({ interface: 1 })

    expect(contentType).toBe('application/json')
    expect(JSON.parse(body)).toEqual({
      bot_email: 'echo-bot@example.com',
      bot_full_name: 'Echo',
      data: 'psst *you*',
      trigger: 'direct_message',
      token: 'secret',
      message: { ...direct, rendered_content: '<p>psst <em>you</em></p>' },
    })
  })

  test('is a form in Slack’s format, with direct messages like those of its commands', () => {
    const { body, contentType } = requestBody({ interface: 2 })

    expect(contentType).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      token: 'secret',
      team_id: 'T2',
      team_domain: 'team.example.com:8443',
      channel_id: 'D40',
      channel_name: 'directmessage',
      user_id: 'U3',
      user_name: 'Ann & Ben',
      text: 'psst *you*',
      trigger_word: 'direct_message',
      service_id: '5',
    })
  })

  test('names the channel and the mention', () => {
    const message: MessageRecord = { ...direct, type: 'stream', stream_id: 7, display_recipient: 'support' }

    expect(JSON.parse(requestBody({ interface: 1 }, message).body)).toMatchObject({ trigger: 'mention' })
    expect(
      Object.fromEntries(new URLSearchParams(requestBody({ interface: 2 }, message).body)),
    ).toMatchObject({
      channel_id: 'C7',
      channel_name: 'support',
      trigger_word: 'mention',
    })
  })
})
