import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const lookup = createMentionLookup({
  channels: [
    { channelId: 1, name: 'general' },
    { channelId: 2, name: 'R&D (v1.0) 100%!' },
    { channelId: 3, name: 'a>b' },
  ],
  topics: [
    { channelId: 1, topic: 'Lunch', firstMessageId: 70 },
    { channelId: 1, topic: '', firstMessageId: 71 },
  ],
})
const html = (content: string) => renderMarkdown(content, lookup).html

describe('a channel link', () => {
  test('leads to the channel', () => {
    expect(html('#**general**')).toBe(
      '<p><a class="stream" data-stream-id="1" href="/#narrow/channel/1-general">#general</a></p>',
    )
  })

  test('leads to a topic', () => {
    expect(html('(#**general>my topic <b> v1.0**)')).toBe(
      '<p>(<a class="stream-topic" data-stream-id="1" ' +
        'href="/#narrow/channel/1-general/topic/my.20topic.20.3Cb.3E.20v1.2E0">' +
        '#general &gt; my topic &lt;b&gt; v1.0</a>)</p>',
    )
  })

  test('leads to a topic by its oldest message, if there is one', () => {
    expect(html('#**general>lunch**')).toContain('href="/#narrow/channel/1-general/topic/lunch/with/70"')
    expect(html('#**general>tea**')).toContain('href="/#narrow/channel/1-general/topic/tea"')
  })

  test.each(['', 'general chat', 'General Chat'])('leads to the empty topic as %j', (topic) => {
    expect(html(`#**general>${topic}**`)).toBe(
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-general/topic//with/71">' +
        '#general &gt; <em>general chat</em></a></p>',
    )
  })

  test('leads to an empty topic without messages', () => {
    expect(html('#**R&D (v1.0) 100%!>**')).toContain('/topic/"')
  })

  test('leads to a message', () => {
    expect(html('#**general>at <5>@home@12**')).toBe(
      '<p><a class="message-link" href="/#narrow/channel/1-general/topic/at.20.3C5.3E.40home/near/12">' +
        '#general &gt; at &lt;5&gt;@home @ 💬</a></p>',
    )
  })

  test('leads to a message of the empty topic', () => {
    expect(html('#**general>@12**')).toBe(
      '<p><a class="message-link" href="/#narrow/channel/1-general/topic//near/12">' +
        '#general &gt; <em>general chat</em> @ 💬</a></p>',
    )
  })

  test.each(['a@', 'a@b', 'a@-1', `a@${'1'.repeat(16)}`])(
    'leads to the topic %j, with no message',
    (topic) => {
      expect(html(`#**general>${topic}**`)).toContain('class="stream-topic"')
    },
  )

  test('encodes names so that no client decodes them too early', () => {
    expect(html('#**R&D (v1.0) 100%!**')).toContain('href="/#narrow/channel/2-R.26D-.28v1.2E0.29-100.25.21"')
  })

  test('distinguishes a name with an arrow from a topic', () => {
    expect(html('#**a>b**')).toContain('data-stream-id="3"')
  })

  test.each(['#**General**', '#**nowhere**', '#**nowhere>x**', 'x#**general**', '`#**general**`'])(
    '%s is none',
    (content) => {
      expect(html(content)).not.toContain('<a')
    },
  )

  test('is not found inside a link', () => {
    expect(html('[see #**general**](/x)')).toBe('<p><a href="/x">see #<strong>general</strong></a></p>')
  })
})
