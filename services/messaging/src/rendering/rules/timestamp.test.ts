import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html

describe('a timestamp', () => {
  test('is given in UTC and keeps the text', () => {
    expect(html('<time:2024-02-03T04:05:06+02:00>')).toBe(
      '<p><time datetime="2024-02-03T02:05:06Z">2024-02-03T04:05:06+02:00</time></p>',
    )
  })

  test('is relative to when the text was written', () => {
    const settings = { ...plainSettings, writtenAt: new Date('2026-07-15T12:00:00Z') }

    expect(renderMarkdown('<time:Friday 5pm>', createMentionLookup({}), settings).html).toBe(
      '<p><time datetime="2026-07-17T17:00:00Z">Friday 5pm</time></p>',
    )
  })

  test('shows an error if it is invalid', () => {
    expect(html('<time:a"b>')).toBe(
      '<p><span class="timestamp-error">Invalid time format: a&quot;b</span></p>',
    )
  })

  test.each(['<time:0', '`<time:0>`', '<time:<0>', `<time:${'0'.repeat(101)}>`])('%s is text', (content) => {
    expect(html(content)).not.toMatch(/<time|timestamp-error/)
  })
})
