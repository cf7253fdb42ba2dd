import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import type { RenderingSettings } from '../kernel/rendering/rendering-settings.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { findReferences } from './find-references.ts'
import { renderMarkdown } from './render-markdown.ts'
import { highlight } from './syntax/highlight.ts'
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
const groups = [
  { groupId: 1, name: 'Team' },
  { groupId: 2, name: '"><x onload=y>' },
]
const customEmoji = [{ name: 'g', url: '/user_avatars/1/emoji/images/1.png' }]
const pictures = [
  { pathId: '2/a/abcdefghijklmnopqrstuvwx/b.png', contentType: 'image/png', width: 640, height: 480 },
]
const startedTopics = [
  { channelId: 1, topic: 'x', firstMessageId: 70 },
  { channelId: 1, topic: '', firstMessageId: 71 },
]
const nameOf = (id: number) => channels.find(({ channelId }) => channelId === id)?.name
const lookup = createMentionLookup({ users, channels, topics: startedTopics, groups, customEmoji, pictures })
const settings: RenderingSettings = {
  linkifiers: [
    { pattern: '#(?P<id>[0-9]+)', url_template: 'https://e.com/{id}' },
    { pattern: 'go:(?P<to>.+)', url_template: '{+to}' },
  ],
  realmUrl: 'https://e.com',
  showsPreviews: true,
  defaultCodeLanguage: 'js',
  translatesEmoticons: true,
}
const render = (content: string, known = lookup) => renderMarkdown(content, known, settings)

/** Fragments with a meaning to some rule; random text alone would hardly ever combine two of them. */
const FRAGMENTS = `
  * ** *** _ __ ~ ~~ ~~~ \` \`\` \`\`\` \`\`\`\` \`\`\`quote \`\`\`spoiler \`\`\`js > >> - + 1. 12) # ## --- | |-|
  | a|b :-: [ ] ( ) ]( [t]( [t](/ ![ < > <a <! <!-- <b> </b> <time: <time:0> & &lt; &#0; &#xD800; &# \\ \\| ! " '
  @ @** @_** @**Ada** @**|5** @**|6** @**Ada\\|5** @**bob** @**all** @**topic** # #** #**general** #**general>
  #**general>** #**general>x** #**general>x@5** #**general>@5**
  #**a\\|b** http:// https://e.com https://e.com/( mailto: a@ a@e.com @e.com javascript: javascript:alert(1) data:
  x word 0 $$ $$x^2$$ $$\\x \\frac{1}{2} \\href{ { } \`\`\`math :) <3 : :g: :smile: :zulip: 👍 👨‍ \uFE0F \u200D 🏽 1️⃣ 🇦
  @*Team* @_*team* @* #12 (#1) go:javascript:alert(1) go:https://e.com/"> https://e.com/a.png https://e.com/a.mp4
  e.com e.com/( e.com/a_(b) main.rs a.b.c bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT [](/x) [t](a@e.com) , .com/
  https://e.com/#narrow https://e.com/user_uploads/2/a/x [t](https://e.com/a{ file:/// [t](file:///a) (http://e.com/a(
  https://github.com/o/r/blob/"onerror=x.png https://en.wikipedia.org/wiki/File:"><x>.jpg <time:5pm> <time:Dec 31 2017>
  https://youtu.be/dQw4w9WgXcQ [t](/user_uploads/2/a/abcdefghijklmnopqrstuvwx/b.png) [t](/user_uploads/2/%22%3E.webm)
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
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ' ',
      '  ',
      '    ',
      '\t',
      '\n',
      '\n\n',
      '\n> ',
      '\n- ',
      '\n  ',
      '\n  1. ',
      '\n\t* ',
    ),
  },
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

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** Every element that may appear outside of mathematics, with the attributes that it may have. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  ...Object.fromEntries(
    'p strong em del code pre h1 h2 h3 h4 h5 h6 blockquote ul li table thead tbody tr br hr'
      .split(' ')
      .map((name) => [name, {}]),
  ),
  ol: { start: /^\d{1,9}$/ },
  td: { style: /^text-align: (?:left|center|right);$/ },
  th: { style: /^text-align: (?:left|center|right);$/ },
  div: {
    class:
      /^(?:spoiler-(?:block|header|content)|codehilite|message_inline_image(?: message_inline_video)?|youtube-video message_inline_image)$/,
    'aria-hidden': /^true$/,
    'data-code-language': /./,
  },
  span: {
    class:
      /^(?:(?:user-|user-group-|topic-)mention(?: silent)?|timestamp-error|tex-error|emoji emoji-[0-9a-f-]+|[a-z]{1,2}\d?)$/,
    'data-user-id': /^(?:\*|\d+)$/,
    'data-user-group-id': /^\d+$/,
    'aria-label': /^[\w+ -]+$/,
    role: /^img$/,
    title: /^[\w+ -]+$/,
  },
  a: {
    class: /^(?:stream|stream-topic|message-link)$/,
    'data-stream-id': /^\d+$/,
    'data-id': /^[\w-]{11}$/,
    href: /^(?:(?:https?|ftp|mailto|bitcoin):|file:\/\/\/|[/#])\S*$/i,
    title: /^/,
  },
  img: {
    alt: /^:[\w+-]+:$/,
    class: /^emoji$/,
    'data-original-content-type': /^image\/png$/,
    'data-original-dimensions': /^640x480$/,
    src: /^(?:https?:\/\/|\/)\S+$/i,
    title: /^[\w+ -]+$/,
  },
  video: { preload: /^metadata$/, src: /^(?:https?:\/\/|\/)\S+$/i },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/ },
}

/** Mathematics has elements and styles of its own, but nothing that leads or does anything. */
const MATH_ATTRIBUTES =
  /^(?:class|style|aria-hidden|xmlns|encoding|display|d|width|height|viewBox|preserveAspectRatio|mathvariant|mathcolor|mathbackground|minsize|maxsize|stretchy|fence|separator|form|lspace|rspace|accent|accentunder|columnalign|columnspacing|columnlines|rowspacing|rowlines|scriptlevel|displaystyle|linethickness|notation|side|voffset|depth|largeop|movablelimits|symmetric|x1|x2|y1|y2|stroke-width|viewbox|preserveaspectratio|title)$/
const UNSAFE_STYLE = /url|expression|@|\\|position:\s*fixed/i

function expectSafe(html: string): void {
  const fragment = parseFragment(html)
  for (const node of fragment.childNodes) expectSafeNode(node, { isMath: false, isLink: false })
  // A browser would serialize invalid HTML differently.
  if (!html.includes('class="katex"')) expect(unescape(serialize(fragment))).toBe(unescape(html))
}

function expectSafeNode(node: Node, within: { isMath: boolean; isLink: boolean }): void {
  if (node.nodeName === '#text') {
    expect((node as DefaultTreeAdapterTypes.TextNode).value).not.toMatch(/[\0\p{Surrogate}]/u)
    return
  }
  const element = node as Element
  const isMath =
    within.isMath || element.attrs.some(({ name, value }) => name === 'class' && value.startsWith('katex'))
  const isLink = element.tagName === 'a'
  if (isLink) expect(within.isLink).toBe(false)
  for (const { name, value } of element.attrs) {
    const isAllowed = isMath
      ? MATH_ATTRIBUTES.test(name) && !UNSAFE_STYLE.test(value)
      : ATTRIBUTES[element.tagName]?.[name]?.test(value)
    if (!isAllowed) throw new Error(`unexpected attribute: ${element.tagName} ${name}="${value}"`)
  }
  if (isMath)
    expect(element.tagName).not.toMatch(/^(?:a|img|script|iframe|object|embed|form|input|use|image|style)$/)
  else if (!ATTRIBUTES[element.tagName]) throw new Error(`unexpected element ${element.tagName}`)
  for (const child of element.childNodes) {
    expectSafeNode(child, { isMath, isLink: within.isLink || isLink })
  }
}

/** Ignores how characters are escaped, which is the serializer's choice; the parsed content is checked above. */
function unescape(html: string): string {
  return html
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Cases that repeating one pattern doesn't reach: depth first, then many lines that each pass every level. */
const DEEP_TEXTS = [
  `${'>'.repeat(40)}a\n${'x\n'.repeat(4_900)}`,
  `${'- '.repeat(19)}x\n`.repeat(250),
  `${'```quote\n'.repeat(45)}${'x\n'.repeat(4_700)}`,
  `a\n${'>\n'.repeat(4_900)}`,
  `|${'`|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${'`|'.repeat(1_000)}`,
  `${'```spoiler a\n'.repeat(25)}${'```js\nx\n```\n'.repeat(750)}`,
  Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' '),
  `${'*a '.repeat(1_600)}${'b* '.repeat(1_600)}`,
]

describe('any text', () => {
  test('renders to safe, well-formed HTML', () => {
    fc.assert(
      fc.property(aText, (content) => {
        const { html, mentionedUserIds, mentionedGroupIds } = render(content)
        expectSafe(html)
        for (const userId of mentionedUserIds) expect([5, 6]).toContain(userId)
        for (const groupId of mentionedGroupIds) expect([1, 2]).toContain(groupId)
      }),
      { numRuns: 3_000 },
    )
  })

  test('renders the same with a lookup of only its own references', () => {
    fc.assert(
      fc.property(aText, (content) => {
        const { userNames, userIds, channelNames, topics, groupNames, emojiNames, uploadPathIds } =
          findReferences(content)
        const needed = createMentionLookup({
          users: users.filter(
            (user) => userIds.includes(user.userId) || userNames.includes(caseKey(user.fullName)),
          ),
          channels: channels.filter((channel) => channelNames.includes(channel.name)),
          topics: startedTopics.filter(({ channelId, topic }) =>
            topics.some((one) => one.channelName === nameOf(channelId) && caseKey(one.topic) === topic),
          ),
          groups: groups.filter(({ name }) => groupNames.includes(caseKey(name))),
          customEmoji: customEmoji.filter(({ name }) => emojiNames.includes(name)),
          pictures: pictures.filter(({ pathId }) => uploadPathIds.includes(pathId)),
        })
        expect(render(content, needed)).toEqual(render(content))
      }),
      { numRuns: 1_000 },
    )
  })

  test('has topic links that lead to the web', () => {
    fc.assert(
      fc.property(aText, (topic) => {
        for (const { url } of topicLinks(topic, settings.linkifiers))
          expect(url).toMatch(/^https?:\/\/[^\s<>]/i)
      }),
    )
  })

  test('of full length renders quickly, to HTML of bounded size', () => {
    // The slowest found in long runs took 0.3 s; quadratic work at this length takes many seconds.
    fc.assert(
      fc.property(aRepeatedText, (content) => {
        let html = ''
        const tookMs = timeOf(() => {
          findReferences(content)
          html = render(content).html
        })
        expect(tookMs).toBeLessThan(2_000)
        expect(html.length).toBeLessThan(400 * MAX_LENGTH)
      }),
      { numRuns: 100, examples: DEEP_TEXTS.map((text) => [text]) },
    )
  })

  test.each([
    ...FRAGMENTS,
    '*a ',
    'a* ',
    '**a ',
    '***a* ',
    '*a\n',
    '~~~a~~',
    '[*](',
    '[a](',
    '[a',
    '<a@',
    '| ',
    '> ',
    '>\n',
    'a\n>\n',
    '- >\n',
    '```x',
    '```x\n',
    '```quote\n',
    '\\`',
    'a|`|',
    'a.co/(,',
    'http://a/(',
    'http://a/,',
    ',a.co',
    '[a](https://e.com/a ',
    '[a](https://e.com/(',
    'a.',
    '<time:1 a 1>',
    ':) ',
    '👍🏽',
    '- ',
    '- a\n',
    '- a\n\n',
    '1. a\n  - b\n',
    '- a\n1. b\n',
    '- - a\n',
    '-\n',
    '$$a',
    ':a',
    '👨‍',
    '@*a ',
    '\n',
  ])('renders in linear time: %j again and again', (fragment) => {
    const time = (length: number) => {
      const content = fragment.repeat(length / fragment.length)
      return Math.min(...[1, 2, 3].map(() => timeOf(() => render(content))))
    }
    // Linear is 4 times as long, quadratic 16 times; milliseconds say nothing.
    expect(time(MAX_LENGTH)).toBeLessThan(9 * time(MAX_LENGTH / 4) + 30)
  })
})

describe('any code', () => {
  const grammars = [
    'javascript',
    'python',
    'xml',
    'markdown',
    'php',
    'css',
    'bash',
    'sql',
    'diff',
    'ini',
    'latex',
  ]

  test('keeps its text, in spans that hold only text', () => {
    fc.assert(
      fc.property(aText, fc.constantFrom(...grammars), (code, grammar) => {
        const fragment = parseFragment(highlight(code, grammar))
        const texts = fragment.childNodes.map((node) => {
          const [text = node] = 'tagName' in node ? node.childNodes : [node]
          return (text as DefaultTreeAdapterTypes.TextNode).value
        })
        // As a browser reads line ends.
        expect(texts.join('')).toBe(code.replaceAll(/\r\n?/g, '\n').replaceAll('\0', ''))
      }),
      { numRuns: 500 },
    )
  })
})

/** CPU time of this process in milliseconds: other load on the machine doesn't count. */
function timeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
