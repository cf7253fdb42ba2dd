// Draws the first message of each integration for docs/integrations.md: rendered by the system that runs here (npm start), in a
// headless Chromium with a font that has emoji (fonts-noto-color-emoji). Names of integrations limit it to those.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrations } from '../libs/integrations/dist/index.js'
import { readPage, takePicture } from './chromium.ts'
import { firstMessageOf, PICTURES } from './integration-fixtures.ts'
import { repoRoot } from './repo-root.ts'

const WIDTH = 720
const BASE_URL = process.env.GATEWAY_URL ?? 'http://127.0.0.1:9991'
const STYLE = `
  body { margin: 0; padding: 12px; background: #fff; font: 15px/1.45 system-ui, 'DejaVu Sans', sans-serif; color: #222 }
  header { background: #e8eef7; border-radius: 6px; padding: 5px 10px; font-weight: 600; overflow-wrap: anywhere }
  article { display: flex; gap: 10px; padding: 10px 4px 0 }
  .avatar { flex: 0 0 36px; height: 36px; border-radius: 6px; background: #4a6fa5; color: #fff; text-align: center; font: 600 20px/36px sans-serif }
  .content { min-width: 0; overflow-wrap: anywhere } .content p { margin: 2px 0 8px } .content ul, .content ol { margin: 2px 0 8px; padding-left: 22px }
  .name { font-weight: 600 } a { color: #1a5fb4; text-decoration: none }
  code { background: #f3f3f3; border-radius: 3px; padding: 1px 3px; font-size: 13px } pre { background: #f6f6f6; border-radius: 4px; padding: 8px; margin: 2px 0 8px; white-space: pre-wrap }
  pre code { background: none; padding: 0 } blockquote { margin: 2px 0 8px; padding-left: 10px; border-left: 4px solid #ccc; color: #444 }
  table { border-collapse: collapse; margin-bottom: 8px } td, th { border: 1px solid #ccc; padding: 3px 8px } .emoji { font-style: normal }
  .spoiler-block { border: 1px solid #ccc; border-radius: 4px; padding: 6px } img { max-height: 100px }`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Emoji as characters: clients have pictures of their own. */
const withEmoji = (html: string): string =>
  html.replaceAll(/<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g, (_, code: string) =>
    String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16))),
  )

async function call<T>(path: string, fields: Record<string, string>, authorization?: string): Promise<T> {
  const response = await fetch(`${BASE_URL}/api/v1${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: authorization === undefined ? {} : { authorization },
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

async function signIn(): Promise<string> {
  const file = join(repoRoot, '.local', 'data', 'owner.json')
  const { email, password } = JSON.parse(readFileSync(file, 'utf8')) as { email: string; password: string }
  const { api_key } = await call<{ api_key: string }>('/fetch_api_key', { username: email, password })
  return `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
}

const pageOf = (name: string, topic: string, html: string): string => `<!doctype html><meta charset="utf-8">
<style>${STYLE}</style>
<header>#alerts › ${escaped(topic)}</header>
<article><div class="avatar">${escaped(name.slice(0, 1))}</div><div class="content"><div class="name">${escaped(name)}</div>
${withEmoji(html)}</div></article>
<script>document.documentElement.dataset.height = String(document.body.offsetHeight)</script>`

const authorization = await signIn()
mkdirSync(join(repoRoot, PICTURES), { recursive: true })
const wanted = process.argv.slice(2)
for (const integration of integrations) {
  const { name, displayName } = integration
  const message = firstMessageOf(integration)
  if (!message || (wanted.length > 0 && !wanted.includes(name))) continue
  const { rendered } = await call<{ rendered: string }>(
    '/messages/render',
    { content: message.content },
    authorization,
  )
  const page = pageOf(displayName, message.topic, rendered)
  const height = Number(/data-height="(\d+)"/.exec(readPage(page, WIDTH))?.[1] ?? 0)
  takePicture(
    page,
    { width: WIDTH, height: Math.min(height, 1_200) },
    join(repoRoot, PICTURES, `${name}.png`),
  )
  console.log(`${PICTURES}/${name}.png`)
}
