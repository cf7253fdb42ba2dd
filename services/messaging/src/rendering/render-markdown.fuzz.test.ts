import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createDirectory } from './directory.ts'
import { findReferences } from './find-references.ts'
import { renderMarkdown } from './render-markdown.ts'
import { topicLinks } from './topic-links.ts'

const MAX_LENGTH = 10_000
const users = [
  { userId: 5, fullName: 'Ada', isActive: true },
  { userId: 6, fullName: '"><x onload=y>', isActive: true },
  { userId: 7, fullName: 'bob', isActive: false },
]
const channels = [
  { channelId: 1, name: 'general' },
  { channelId: 2, name: '"><x onload=y>' },
  { channelId: 3, name: 'a|b' },
]
const directory = createDirectory({ users, channels })

/** What means something to some rule; random text alone would hardly ever meet two of them. */
const FRAGMENTS = `
  * ** *** _ __ ~ ~~ ~~~ \` \`\` \`\`\` \`\`\`\` \`\`\`quote \`\`\`spoiler \`\`\`js > >> - + 1. 12) # ## --- | |-|
  | a|b :-: [ ] ( ) ]( [t]( [t](/ ![ < > <a <! <!-- <b> </b> <time: <time:0> & &lt; &#0; &#xD800; &# \\ \\| ! " '
  @ @** @_** @**Ada** @**|5** @**|6** @**Ada\\|5** @**bob** @**all** @**topic** # #** #**general** #**general>
  #**a\\|b** http:// https://e.com https://e.com/( mailto: a@ a@e.com @e.com javascript: javascript:alert(1) data:
  x word 0
`
  .trim()
  .split(/\s+/)

const aWrittenLink = fc
  .tuple(
    fc.constantFrom('[t](', '[**t**](<', '<', '[@**|5**](', '[#**general**](', '[<a@e.com>](', '![t]('),
    fc.constantFrom('', ' ', '\t', '&Tab;', '&#106;', '\\', '//', '/', '#'),
    fc.constantFrom('javascript:a', 'JAVASCRIPT:a', 'data:a', 'vbscript:a', 'a', 'https:a', 'a@e.com'),
    fc.constantFrom(')', ' "x")', ' \'" onclick="x\')', '>)', '>'),
  )
  .map((parts) => parts.join(''))
const aTable = fc
  .tuple(
    fc.constantFrom('@**Ada', '@**', '#**a', '`x', '[t'),
    fc.constantFrom('\\|', '|'),
    fc.constantFrom('5**', 'b**', 'y`', '](/)'),
  )
  .map((parts) => `\n\n| a | b |\n|:-:|--:|\n| ${parts.join('')} | x\n`)

const aFragment = fc.oneof(
  { weight: 1, arbitrary: fc.oneof(aWrittenLink, aTable) },
  { weight: 8, arbitrary: fc.constantFrom(...FRAGMENTS) },
  { weight: 4, arbitrary: fc.constantFrom(' ', '  ', '    ', '\t', '\n', '\n\n', '\n> ', '\n- ', '\n  ') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)) },
)
const aText = fc.array(aFragment, { maxLength: 60 }).map((parts) => parts.join(''))
const aRepeatedText = fc
  .tuple(fc.array(aFragment, { minLength: 1, maxLength: 5 }), fc.array(aFragment, { maxLength: 3 }))
  .map(([parts, start]) => {
    const unit = parts.join('') || 'x'
    return (start.join('') + unit.repeat(MAX_LENGTH / unit.length)).slice(0, MAX_LENGTH)
  })

/** Every tag that may appear, with exactly the attributes it may have. */
const SAFE_TAGS = [
  /^<\/?(?:p|strong|em|del|code|pre|h[1-6]|blockquote|ul|ol|li|table|thead|tbody|tr|th|td)>$/,
  /^<(?:br|hr)>$/,
  /^<\/(?:a|div|span|time)>$/,
  /^<ol start="\d{1,9}">$/,
  /^<t[hd] style="text-align:(?:left|center|right)">$/,
  /^<div class="(?:spoiler-block|spoiler-header|spoiler-content" aria-hidden="true|codehilite)">$/,
  /^<div class="codehilite" data-code-language="[^"<>]+">$/,
  /^<span(?: class="(?:user-mention(?: silent)?" data-user-id="(?:\*|\d+)|topic-mention(?: silent)?|timestamp-error)")?>$/,
  /^<a class="stream(?:-topic)?" data-stream-id="\d+" href="\/#narrow\/stream\/[\w.~/-]+">$/,
  /^<a href="(?:(?:https?|ftps?|mailto|news|bitcoin):|[/#])[^"<>\s]*"(?: title="[^"<>]*")?>$/i,
  /^<time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z">$/,
]

function expectSafe(html: string): void {
  const open: string[] = []
  const text = html.replace(/<[^<>]*>/g, (tag) => {
    if (!SAFE_TAGS.some((safe) => safe.test(tag))) throw new Error(`unexpected tag ${tag}`)
    const name = /\w+/.exec(tag)?.[0] ?? ''
    if (tag.startsWith('<a')) expect(open).not.toContain('a')
    if (tag.startsWith('</')) expect(open.pop()).toBe(name)
    else if (name !== 'br' && name !== 'hr') open.push(name)
    return ''
  })
  expect(open).toEqual([])
  expect(text).not.toMatch(/[<>"\0\p{Surrogate}]/u)
  expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/)
}

/** What repeating one pattern does not reach: depth first, then many lines that each pass every level. */
const DEEP_TEXTS = [
  `${'>'.repeat(40)}a\n${'x\n'.repeat(4_900)}`,
  `${'- '.repeat(19)}x\n`.repeat(250),
  `${'```quote\n'.repeat(45)}${'x\n'.repeat(4_700)}`,
  `${'```spoiler a\n'.repeat(25)}${'```js\nx\n```\n'.repeat(750)}`,
  Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' '),
  `${'*a '.repeat(1_600)}${'b* '.repeat(1_600)}`,
]

describe('any text', () => {
  test('renders to safe, well-formed HTML', () => {
    fc.assert(
      fc.property(aText, (content) => {
        const { html, mentionedUserIds } = renderMarkdown(content, directory)
        expectSafe(html)
        for (const userId of mentionedUserIds) expect([5, 6]).toContain(userId)
      }),
      { numRuns: 3_000 },
    )
  })

  test('renders the same from a directory of only what its references name', () => {
    fc.assert(
      fc.property(aText, (content) => {
        const { userNames, userIds, channelNames } = findReferences(content)
        const needed = createDirectory({
          users: users.filter(
            (user) => userIds.includes(user.userId) || userNames.includes(user.fullName.toLowerCase()),
          ),
          channels: channels.filter((channel) => channelNames.includes(channel.name)),
        })
        expect(renderMarkdown(content, needed)).toEqual(renderMarkdown(content, directory))
      }),
      { numRuns: 1_000 },
    )
  })

  test('has topic links that lead to the web', () => {
    fc.assert(
      fc.property(aText, (topic) => {
        for (const { url } of topicLinks(topic, [])) expect(url).toMatch(/^https?:\/\/[^\s<>]/i)
      }),
    )
  })

  test('of full length renders quickly, to HTML of bounded size', () => {
    // The slowest found in long runs took 0.1 s; quadratic work at this length takes many seconds.
    fc.assert(
      fc.property(aRepeatedText, (content) => {
        const startedAt = performance.now()
        findReferences(content)
        const { html } = renderMarkdown(content, directory)
        expect(performance.now() - startedAt).toBeLessThan(1_000)
        expect(html.length).toBeLessThan(100 * MAX_LENGTH)
        expectSafe(html)
      }),
      { numRuns: 100, examples: DEEP_TEXTS.map((text) => [text]) },
    )
  })
})
