import { expect, test } from 'vitest'
import { renderLetter, renderShortText } from './render-short-text.ts'

test.each([
  ['plain', '<p>plain</p>'],
  ['**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>'],
  ['one\ntwo', '<p>one<br>\ntwo</p>'],
  ['[a](https://example.com)', '<p><a href="https://example.com">a</a></p>'],
  ['one\n\n* a\n* b', '<p>one</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['> said', '<blockquote>\n<p>said</p>\n</blockquote>'],
  ['see https://example.com/x', '<p>see <a href="https://example.com/x">https://example.com/x</a></p>'],
  ['<b onclick="x">', '<p>&lt;b onclick=&quot;x&quot;&gt;</p>'],
  ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['![x](https://example.com/x.png) # no', '<p>!<a href="https://example.com/x.png">x</a> # no</p>'],
])('%j', (text, html) => {
  expect(renderShortText(text)).toBe(html)
})

test.each([
  ['# One\n\n```\ntwo\n```\n\n---', true, '<h1>One</h1>\n<pre><code>two\n</code></pre>\n<hr>'],
  ['![x](https://example.com/x.png)', true, '<p>!<a href="https://example.com/x.png">x</a></p>'],
  ['<i>\n# One', false, '<p>&lt;i&gt;<br>\n# One</p>'],
])('the letter %j, in Markdown: %s', (text, isMarkdown, html) => {
  expect(renderLetter(text, isMarkdown)).toBe(html)
})
