import { expect, test } from 'vitest'
import { writeForPush } from './push-text.rules.ts'

test.each<[string, string, string]>([
  ['has no markup', '<p>It <strong>works</strong> &amp; <a href="/x">more</a></p>', 'It works & more'],
  ['keeps lines', '<p>one<br>\ntwo</p>\n<p>three</p>', 'one\ntwo\nthree'],
  [
    'shows emoji as characters',
    '<p>yes <span aria-label="octopus" class="emoji emoji-1f419" role="img" title="octopus">:octopus:</span></p>',
    'yes 🐙',
  ],
  ['shows the description of a picture', '<p><img alt=":party:" class="emoji" src="/x.png"></p>', ':party:'],
  ['marks quoted lines', '<blockquote>\n<p>one<br>\ntwo</p>\n</blockquote>\n<p>no</p>', '> one\n> two\nno'],
  [
    'hides what a spoiler hides',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>the butler</p>\n</div></div>',
    'The end\n(…)',
  ],
  ['leaves an unknown entity', '<p>a &x; b &#39;c&#39; &#x1F419;</p>', "a &x; b 'c' 🐙"],
])('the text on a device %s', (_, html, text) => {
  expect(writeForPush(html)).toBe(text)
})

test('the text on a device is short, and no character is cut in two', () => {
  expect(writeForPush(`<p>${'🐙'.repeat(201)}</p>`)).toBe(`${'🐙'.repeat(200)}…`)
  expect(writeForPush(`<p>${'🐙'.repeat(200)}</p>`)).toBe('🐙'.repeat(200))
})
