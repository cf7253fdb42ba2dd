/** The maximum length of a message, in characters. */
const MAX_LENGTH = 10_000

/** Typical messages: mostly a line or two, sometimes code, a quote or a list. */
export const ordinaryTexts: readonly string[] = [
  'ok, thanks! :+1:',
  'The new build is **out**: it starts in half the time, and `npm run bench` says where the rest of it goes.',
  'Has anyone looked at https://example.com/reports/2024/11 yet? I wonder about the *second* table.',
  '> is it merged?\n\nYes, an hour ago 🎉',
  '1. stop the old one\n2. migrate\n3. start the new one\n\nThen tell @**all**.',
  '```py\ndef area(width, height):\n    return width * height  # in metres\n```\nDoes this round?',
  'Lunch at <time:2024-11-21T12:30:00Z>?',
  '| step | ms |\n|---|--:|\n| read | 12 |\n| write | 30 |',
  'The mean is $$\\frac{1}{n}\\sum x_i$$, no more.',
  '```spoiler The answer\nForty-two, of course.\n```',
]

/** The worst input that is known for each part of the renderer, in messages of full length. */
export const hostileTexts: ReadonlyMap<string, string> = new Map([
  ['mathematics', full('$$x^2$$ ', 6_000)],
  ['a wide matrix', `\`\`\`math\n\\begin{matrix}${full('a&', 2_500)}\\end{matrix}\n\`\`\``],
  ['code that is hard to read', `\`\`\`ini\n${full('d_')}`],
  ['emoji', full('👍', 8_000)],
  ['links', full('https://e.com/a.png ')],
  ['brackets', full('[a](')],
  ['emphasis', full('*a ')],
  ['quotes in quotes', `${'>'.repeat(40)}a\n${full('x\n', 9_900)}`],
  ['a table', `${'|'.repeat(100)}\n${'-|'.repeat(100)}\n${full('x|\n', 9_600)}`],
])

function full(part: string, length: number = MAX_LENGTH): string {
  return part.repeat(Math.floor(length / part.length))
}
