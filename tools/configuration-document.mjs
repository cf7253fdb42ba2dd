// Writes docs/configuration.md from what the services declare. Build first. With --check it writes nothing and fails when
// the file isn't what they declare.
import { readFileSync, writeFileSync } from 'node:fs'
import { serviceNames } from './service-names.mjs'

const PATH = 'docs/configuration.md'

/** Variables by name: one row for each meaning, with the services that read it so. */
const variables = new Map()
for (const service of serviceNames) {
  const { configSchema } = await import(`../services/${service}/dist/config.js`)
  for (const [name, schema] of Object.entries(configSchema.shape)) {
    const { success: isOptional, data: value } = schema.safeParse(undefined)
    const row = { isOptional, value, description: schema.description ?? '', services: [service] }
    const known = variables.get(name) ?? []
    const same = known.find((other) => other.value === value && other.description === row.description)
    if (same) same.services.push(service)
    else variables.set(name, [...known, row])
  }
}

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const defaultOf = ({ isOptional, value }) => {
  if (!isOptional) return '**required**'
  return value === undefined || value === null || value === '' ? '–' : `\`${cell(value)}\``
}
const readersOf = ({ services }) => (services.length === serviceNames.length ? 'all' : services.join(', '))
const rows = [...variables]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([name, meanings]) =>
    meanings.map((row) => [`\`${name}\``, defaultOf(row), readersOf(row), cell(row.description)]),
  )

/** Padded as the formatter pads it, so that the file stays what is written here. */
function table(head) {
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => [...row[column]].length)),
  )
  const line = (cells) => `| ${cells.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const text = `# Configuration

Every service is configured by environment variables alone. They are checked when it starts: what is missing or wrong is
named, all of it in one message, and the process ends with 1. This page is written by \`node tools/configuration-document.mjs\`
from what the services declare (\`services/*/src/config.ts\`).

**Secrets in files.** Each variable may be given as the text of a file instead: \`DATABASE_URL_FILE=/run/secrets/database-url\`
in place of \`DATABASE_URL\`. A line break at the file's end is left out; giving both is refused, unless the variable
itself is empty.

**Empty** is as if not there, but for variables whose row says what it means.

**Flags** are \`true\` or \`false\`. **Keys** are PEM texts; \`\\n\` may stand for a line break.

${table(['variable', 'default', 'read by', 'what it is'])}

The database migrations (\`node dist/migrate.js\` of messaging, users and realm) read \`DATABASE_URL\` and \`LOG_LEVEL\`; the
operators' commands name what they need by \`--help\`.
`

const url = new URL(`../${PATH}`, import.meta.url)
if (!process.argv.includes('--check')) writeFileSync(url, text)
else if (readFileSync(url, 'utf8') !== text) {
  console.error(`${PATH} is not what the services declare: run node tools/configuration-document.mjs`)
  process.exitCode = 1
}
