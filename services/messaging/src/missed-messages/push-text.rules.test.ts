import { expect, test, vi } from 'vitest'
import { createPushWriter, writeForPush } from './push-text.rules.ts'

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
    'marks lines that are quoted in a quote',
    '<blockquote>\n<blockquote>\n<p>one</p>\n</blockquote>\n<p>two</p>\n</blockquote>\n<p>no</p>',
    '> > one\n> two\nno',
  ],
  [
    'shows the source of a formula',
    '<p>so <span class="katex"><span><math><mi>x</mi><annotation encoding="application/x-tex">x &lt; 2</annotation></math></span><span>x2</span></span> holds</p>',
    'so x < 2 holds',
  ],
  [
    'leaves out previews of pictures',
    '<p>see</p>\n<div class="message_inline_image"><a href="/x"><img alt="no" src="/x.png"></a></div><p>this</p>',
    'see\nthis',
  ],
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

test('the text on a device costs little, however long and nested the message is', () => {
  const depth = 40
  const html = `${'<blockquote>\n'.repeat(depth)}<p>${'x<br>\n'.repeat(1_000_000)}</p>${'</blockquote>\n'.repeat(depth)}`
  const text = writeForPush(html)
  expect(text).toBe(`${'> '.repeat(depth)}x\n`.repeat(3).slice(0, 200) + '…')
  expect(writeForPush(`${'<i></i>'.repeat(10_000)}far away`)).toBe('…')
})

test('a text that many people get is made once', () => {
  const write = vi.fn(writeForPush)
  const writer = createPushWriter(write)
  for (let index = 0; index < 250; index++) expect(writer('<p>all of you</p>')).toBe('all of you')
  writer('<p>another</p>')
  expect(write).toHaveBeenCalledTimes(2)
})
