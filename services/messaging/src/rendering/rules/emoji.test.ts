import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from '../render-markdown.ts'

const lookup = createMentionLookup({
  customEmoji: [
    { name: 'green_tick', url: '/user_avatars/1/emoji/images/4.png' },
    { name: 'rocket', url: '/user_avatars/1/emoji/images/5.png' },
  ],
})
const html = (content: string) => renderMarkdown(content, lookup).html
const OCTOPUS =
  '<span aria-label="octopus" class="emoji emoji-1f419" role="img" title="octopus">:octopus:</span>'
const THUMBS_UP = '<span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span>'

describe('an emoji', () => {
  test.each([
    [':octopus:', OCTOPUS],
    ['🐙', OCTOPUS],
    [':+1:', THUMBS_UP],
    ['👍', THUMBS_UP],
    ['a:octopus:b', `a${OCTOPUS}b`],
    [':no_name:octopus:', `:no_name${OCTOPUS}`],
    ['**🐙**', `<strong>${OCTOPUS}</strong>`],
    ['[🐙](/x)', `<a href="/x">${OCTOPUS}</a>`],
  ])('%s is shown', (content, expected) => {
    expect(html(content)).toBe(`<p>${expected}</p>`)
  })

  test.each([
    ['thumbs_up', 'thumbs up', '1f44d'],
    ['gold', 'gold', '1f947'],
    ['holiday_tree', 'holiday tree', '1f384'],
    ['piñata', 'piñata', '1fa85'],
    ['空', '空', '1f233'],
  ])('called :%s: keeps that name', (name, label, code) => {
    expect(html(`:${name}:`)).toBe(
      `<p><span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span></p>`,
    )
  })

  test.each([
    ':no_such_emoji:',
    ':no_such_émoji:',
    ':constructor:',
    ': octopus :',
    ':octopus',
    '`:octopus:`',
    '12:30:45',
  ])('%s is none', (content) => {
    expect(html(content)).not.toContain('class="emoji')
  })

  test.each(['👍🏽', '🐙🏽', '👩🏽‍🚀', '🐙‍🚀', '🇦🇦', '🏴\u{E0067}\u{E0062}\u{E007F}', '🏽'])(
    'that clients have no picture of stays whole: %s',
    (content) => {
      expect(html(`a${content}b`)).toBe(`<p>a${content}b</p>`)
    },
  )

  test.each([
    ['👨‍👩‍👧', ['1f468-200d-1f469-200d-1f467']],
    ['🇩🇪🇫🇷', ['1f1e9-1f1ea', '1f1eb-1f1f7']],
    ['❤️❤', ['2764', '2764']],
    ['🏳️‍🌈', ['1f3f3-200d-1f308']],
    ['👍👍🏽👍', ['1f44d', '1f44d']],
  ])('of several signs is shown as one: %s', (content, codes) => {
    expect([...html(content).matchAll(/emoji-([0-9a-f-]+)/g)].map(([, code]) => code)).toEqual(codes)
  })

  test('is not looked for in an address', () => {
    expect(html('https://e.com/:octopus:/🐙')).not.toContain('<span')
  })

  test('of the organization is a picture, and takes precedence over one of Unicode', () => {
    expect(html(':green_tick: :rocket:')).toBe(
      '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/1/emoji/images/4.png" title="green tick"> ' +
        '<img alt=":rocket:" class="emoji" src="/user_avatars/1/emoji/images/5.png" title="rocket"></p>',
    )
  })

  test('of the reference API exists in every organization', () => {
    expect(html(':zulip:')).toBe(
      '<p><img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip"></p>',
    )
  })
})

describe('an emoticon', () => {
  const translated = (content: string) =>
    renderMarkdown(content, lookup, { ...plainSettings, translatesEmoticons: true }).html

  test.each([
    [':)', ':smile:'],
    ['so <3', ':heart:'],
    [':D\n:(', ':frown:'],
    ['**:|**', ':neutral:'],
    ['fine :), thanks', ':smile:'],
    ['(:))', ':smile:'],
    ['oh :-(!', ':frown:'],
    ['":)"', ':smile:'],
    ['[:)]', ':smile:'],
    ['<3.', ':heart:'],
  ])('%j is translated if the sender wants that', (content, name) => {
    expect(translated(content)).toContain(`>${name}</span>`)
    expect(html(content)).not.toContain('emoji')
  })

  test.each(['x:)', ':)x', '`:)`', 'http://a.b:)/', '#:)', ':)-'])('%j is none', (content) => {
    expect(translated(content)).not.toContain('emoji')
  })
})
