import { expect, test } from 'vitest'
import { htmlAsMarkdown } from './html-as-markdown.rules.ts'
import { extractReply } from './quoted-text.rules.ts'

test.each([
  [
    'of Gmail',
    '<div dir="ltr">Fine <b>by</b> me.</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Ben wrote:<br></div><blockquote>Lunch?</blockquote></div>',
    'Fine **by** me.',
  ],
  [
    'of Outlook',
    '<html><head><style>p{margin:0}</style></head><body><p class="MsoNormal">Fine <i>by</i> me.<o:p></o:p></p><div id="divRplyFwdMsg"><b>From:</b> Acme &lt;a@b.c&gt;<br><b>Sent:</b> Monday<br><b>To:</b> Ann</div><div>Lunch?</div></body></html>',
    'Fine *by* me.',
  ],
  [
    'of Outlook in Polish',
    '<p>Fine by me.</p><hr><div id="divRplyFwdMsg"><b>Od:</b> Acme<br><b>Wysłano:</b> poniedziałek</div><div>Lunch?</div>',
    'Fine by me.',
  ],
  [
    'of Apple Mail',
    '<html><body>Fine by me.<div><br><blockquote type="cite"><div>On 23 Nov 2026, at 09:12, Acme wrote:</div>Lunch?</blockquote></div></body></html>',
    'Fine by me.',
  ],
  [
    'of Thunderbird',
    '<p>Fine by me.</p><div class="moz-cite-prefix">On 11/23/26, Acme wrote:<br></div><blockquote type="cite">Lunch?</blockquote><pre class="moz-signature">-- \nAnn</pre>',
    'Fine by me.',
  ],
])('a reply in HTML %s is what was written', (_, html, text) => {
  expect(extractReply(htmlAsMarkdown(html))).toBe(text)
})

test.each([
  ['<p>one</p>\n<p>two<br>three</p>', 'one\n\ntwo\nthree'],
  ['<ul><li>a</li><li>b &amp; c</li></ul><ol><li>x</li><li>y</li></ol>', '* a\n* b & c\n\n1. x\n2. y'],
  ['see <a href="https://example.com/a(b)">this [one]</a>', 'see [this one](https://example.com/a%28b%29)'],
  ['<a href="javascript:alert(1)">click</a>', 'click'],
  ['<pre>if (a)\n  b()</pre>', '```\nif (a)\n  b()\n```'],
  ['<img src="x" alt="y">Gr&uuml;&szlig;e&nbsp;&#128512;', 'Grüße 😀'],
  ['<script>x</script><style>y</style>z', 'z'],
])('HTML as Markdown: %s', (html, markdown) => {
  expect(htmlAsMarkdown(html)).toBe(markdown)
})

test('HTML of any depth is read', () => {
  expect(htmlAsMarkdown(`a${'<div>'.repeat(50_000)}b`)).toBe('a')
})

test('long lists and long runs of spaces take little time', () => {
  const before = process.threadCpuUsage()
  const list = htmlAsMarkdown(`<ol>${'<li>x'.repeat(50_000)}</ol>`)
  expect(list.split('\n').at(-1)).toBe('50000. x')
  expect(htmlAsMarkdown(`${'<div>'.repeat(149)}x${'<i> </i>'.repeat(30_000)}y`)).toMatch(/^x +y$/)
  // Far from the 20 s that a count for each item took
  expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000)
})
