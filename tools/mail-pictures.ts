// Draws every kind of mail, as wide windows and phones show it, for readers who prefer light and dark colours: look at them after
// changing the layout. Names of mails limit it to those; the pictures are in .local/mail-pictures. Build first.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { layOutMail } from '../services/users/src/mails/layout.ts'
import { readPage, takePicture } from './chromium.ts'
import { mailSamples } from './mail-samples.ts'
import { repoRoot } from './repo-root.ts'

/** Windows of mail programs, and phones. */
const WIDTHS = [600, 375] as const
const GAP = 20
const WIDTH = WIDTHS.reduce<number>((sum, width) => sum + width + GAP, GAP)
const MAX_HEIGHT = 4_000
const FOLDER = join(repoRoot, '.local', 'mail-pictures')

const attributeOf = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** The mail in a frame of each width, since windows can't be as narrow as phones. */
const pageOf = (
  html: string,
): string => `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>body { margin: 0; padding: ${GAP}px; display: flex; align-items: start; gap: ${GAP}px; background: #777 } iframe { border: 0; color-scheme: light dark }</style>
${WIDTHS.map((width) => `<iframe width="${width}" height="100" srcdoc="${attributeOf(html)}"></iframe>`).join('')}
<script>
addEventListener('load', () => {
  const frames = [...document.querySelectorAll('iframe')]
  for (const frame of frames) frame.height = frame.contentDocument.documentElement.scrollHeight
  const overflowing = frames.map((frame) => frame.contentDocument.documentElement.scrollWidth - frame.clientWidth)
  document.documentElement.dataset.overflow = String(Math.max(...overflowing))
  document.documentElement.dataset.height = String(document.body.scrollHeight)
})
</script>`

const wanted = process.argv.slice(2)
let isWide = false
mkdirSync(FOLDER, { recursive: true })
for (const [name, mail] of Object.entries(mailSamples)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const page = pageOf(layOutMail(mail).html)
  const laidOut = readPage(page, WIDTH)
  const height = Number(/data-height="(\d+)"/.exec(laidOut)?.[1] ?? 0)
  const overflow = Number(/data-overflow="(\d+)"/.exec(laidOut)?.[1] ?? 0)
  for (const isDark of [false, true]) {
    const file = join(FOLDER, `${name}-${isDark ? 'dark' : 'light'}.png`)
    takePicture(page, { width: WIDTH, height: Math.min(height, MAX_HEIGHT), isDark }, file)
    console.log(file)
  }
  if (overflow > 0) {
    isWide = true
    console.error(`${name} is ${overflow} pixels wider than the window`)
  }
}
if (isWide) process.exitCode = 1
