import { expect, test } from '@jest/globals'
import { renderProfileText } from './render-profile-text.ts'

test.each([
  ['plain', '<p>plain</p>'],
  ['**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>'],
  ['one\ntwo', '<p>one<br>\ntwo</p>'],
  ['[a](https://example.com)', '<p><a href="https://example.com">a</a></p>'],
  ['see https://example.com/x', '<p>see <a href="https://example.com/x">https://example.com/x</a></p>'],
  ['<b onclick="x">', '<p>&lt;b onclick=&quot;x&quot;&gt;</p>'],
  ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['![x](https://example.com/x.png) # no', '<p>!<a href="https://example.com/x.png">x</a> # no</p>'],
])('%j', (text, html) => {
  expect(renderProfileText(text)).toBe(html)
})
