// Writes docs/integrations.md from the integrations and their fixtures. Build first. With --check it writes nothing, and fails
// if the file is out of date.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyIntegration, integrations } from '../libs/integrations/dist/index.js'
import { updateGenerated } from './generated-files.ts'
import { type Fixture, fixturesOf, PICTURES } from './integration-fixtures.ts'
import { repoRoot } from './repo-root.ts'

const INTRODUCTION = `# Integrations

Programs that send webhooks post messages here by an address alone. What every address has in common is in
[incoming-webhooks.md](incoming-webhooks.md). \`node tools/integrations-document.ts\` writes this page from
[\`libs/integrations\`](../libs/integrations): the messages are what the tests expect of the fixtures beside them,
as Markdown. Pictures show the first one of each, rendered and drawn by \`tools/integration-pictures.ts\`; clients have styles of their own.
`

/** A text between fences that are longer than any in it. */
function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...(text.match(/[`~]{3,}/g) ?? []).map((fence) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const says = (head: string, outcome: string): string => `${head}\n\n${outcome}`

/** Longer payloads are in the fixtures. */
const MAX_PAYLOAD_LENGTH = 200

/** What was sent, where it explains the message: parameters of the address, and a short payload. */
function requestOf({ query = {}, body }: Fixture): string[] {
  const parameters = Object.entries(query).map(
    ([name, value]) => `Parameter \`${name}\`:\n\n${fenced(value)}`,
  )
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const isShown = payload.length <= MAX_PAYLOAD_LENGTH && typeof body !== 'string'
  return [...(isShown ? [`Payload:\n\n${fenced(payload, 'json')}`] : []), ...parameters]
}

function exampleOf(fixture: Fixture): string {
  const { title, event, messages = [], unsupported } = fixture
  const of = event === undefined ? '' : ` (\`${event}\`)`
  const head = [`**${title}**${of}`, ...requestOf(fixture)].join('\n\n')
  if (unsupported !== undefined) return says(head, 'Nothing: the event isn’t supported.')
  if (messages.length === 0) return says(head, 'Nothing.')
  return [head, ...messages.map(({ topic, content }) => `Topic \`${topic}\`:\n\n${fenced(content)}`)].join(
    '\n\n',
  )
}

/** What a message of it looks like, where `integration-pictures.ts` has drawn it. */
function pictureOf({ name, displayName }: AnyIntegration): string[] {
  if (!existsSync(join(repoRoot, PICTURES, `${name}.png`))) return []
  return [`![A message of ${displayName}](${PICTURES.replace('docs/', '')}/${name}.png)`]
}

function sectionOf(integration: AnyIntegration): string {
  const { name, displayName, description, setup, parameters, events, signature } = integration
  const own = Object.entries(parameters).map(([parameter, text]) => `- \`${parameter}\`: ${text}`)
  return [
    `## ${displayName}`,
    `${description} Address: \`/api/v1/external/${name}\`.`,
    ...pictureOf(integration),
    setup.replaceAll('{url}', `https://chat.example.com/api/v1/external/${name}?api_key=…&stream=…`),
    ...(own.length === 0 ? [] : [`Parameters of its own:\n\n${own.join('\n')}`]),
    ...(events === null ? [] : [`Events: ${events.map((event) => `\`${event}\``).join(', ')}.`]),
    ...(signature === null
      ? []
      : [`With \`webhook_secret\` in the address, the header \`${signature.header}\` is checked.`]),
    ...fixturesOf(integration).map(exampleOf),
  ].join('\n\n')
}

updateGenerated('integrations-document.ts', {
  'docs/integrations.md': `${[INTRODUCTION.trimEnd(), ...integrations.map(sectionOf)].join('\n\n')}\n`,
})
