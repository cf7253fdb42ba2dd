import type { ChannelRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'
import {
  writeAnnouncedNotice,
  writeChangeNotices,
  writeCreatedNotice,
  writeSubscribedNotice,
} from './channel-notice.rules.ts'

const ann = { user_id: 7, full_name: 'Ann' }
const channel = {
  name: 'general',
  description: 'what for',
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  stream_post_policy: 1,
  can_send_message_group: 6,
  can_subscribe_group: 8,
  can_add_subscribers_group: 8,
  can_administer_channel_group: 8,
  message_retention_days: null,
} as ChannelRecord

const NASTY_NAMES = ['@**all**', '* @**all**', '`@**all**`', 'a** @**all** **b', '$$x$$ @**all**', '<b>', '>']
const render = (text: string, names: readonly string[] = []) =>
  renderMarkdown(
    text,
    createMentionLookup({
      users: [{ userId: 7, fullName: 'Ann', isActive: true }],
      channels: names.map((name, index) => ({ channelId: index + 1, name })),
    }),
  )

describe('notices of channels', () => {
  test('mention the actor without flagging anyone', () => {
    const rendered = render(writeCreatedNotice(ann, channel))

    expect(rendered.html).toContain('data-user-id="7">Ann</span>')
    expect(rendered.html).toContain('<p>what for</p>')
    expect(rendered.mentionedUserIds).toEqual([])
  })

  test('link to their channels', () => {
    expect(render(writeSubscribedNotice(ann, ['general']), ['general']).html).toContain('data-stream-id="1"')
    const both = render(writeAnnouncedNotice(ann, ['general', 'random']), ['general', 'random']).html
    expect(both.match(/<li>/g)).toHaveLength(2)
  })

  test.each(NASTY_NAMES)('a channel named %s mentions nobody', (name) => {
    const texts = [
      writeSubscribedNotice(ann, [name]),
      writeAnnouncedNotice(ann, [name, 'x']),
      ...writeChangeNotices(ann, channel, { ...channel, name }),
      ...writeChangeNotices(ann, { ...channel, name }, channel),
    ]
    for (const text of texts) {
      const rendered = render(text, [name, 'x'])
      expect(rendered.mentionsChannelWildcard).toBe(false)
      expect(rendered.html).not.toContain('<b>')
    }
  })

  test.each([...NASTY_NAMES, '~~~ quote', '``` quote', '# @**all**', '* @**all**'])(
    'a description of %s mentions nobody',
    (description) => {
      for (const text of [
        writeCreatedNotice(ann, { ...channel, description }),
        ...writeChangeNotices(ann, channel, { ...channel, description }),
      ]) {
        expect(render(text).mentionsChannelWildcard).toBe(false)
      }
    },
  )

  test.each<[Partial<ChannelRecord>, RegExp]>([
    [{ name: 'new' }, /renamed.*general.*new/],
    [{ description: '' }, /described/],
    [{ invite_only: true }, /private, with shared history.*public/],
    [{ is_web_public: true }, /web-public/],
    [{ can_send_message_group: 4 }, /full members.*everyone/],
    [
      { can_send_message_group: { direct_members: [7], direct_subgroups: [] } },
      /chosen users and groups.*everyone/,
    ],
    [{ message_retention_days: 30 }, /for 30 days/],
  ])('describe a change to %j', (change, expected) => {
    const notices = writeChangeNotices(ann, channel, { ...channel, ...change })

    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(expected)
  })

  test('are one for each change, and none without', () => {
    const changed = { ...channel, name: 'new', can_send_message_group: 2 }
    expect(writeChangeNotices(ann, channel, changed)).toHaveLength(2)
    expect(writeChangeNotices(ann, channel, { ...channel, can_remove_subscribers_group: 3 })).toEqual([])
  })
})
