// Writes docs/configuration.md from the services' declarations. Build first. With --check it writes nothing, and fails if the
// file is out of date.

import { markdownTable } from '../libs/contracts/dist/index.js'
import { updateGenerated } from './generated-files.ts'
import { serviceNames } from './service-names.ts'

/** What the tool needs of a Zod schema: services' schemas are loaded from their bundles. */
interface Variable {
  description?: string
  safeParse: (value: undefined) => { success: boolean; data?: unknown }
}

/** A meaning of a variable, with the services that share it. */
interface Row {
  isOptional: boolean
  value: unknown
  description: string
  services: string[]
}

const PATH = 'docs/configuration.md'

/** Whether two defaults are alike; lists and objects are made anew for each service. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Variables by name: a row for each meaning. */
const variables = new Map<string, Row[]>()
for (const service of serviceNames) {
  const { configSchema }: { configSchema: { shape: Record<string, Variable> } } = await import(
    `../services/${service}/dist/config.js`
  )
  for (const [name, schema] of Object.entries(configSchema.shape)) {
    const { success: isOptional, data: value } = schema.safeParse(undefined)
    const row = { isOptional, value, description: schema.description ?? '', services: [service] }
    const known = variables.get(name) ?? []
    const same = known.find((other) => isSame(other.value, value) && other.description === row.description)
    if (same) same.services.push(service)
    else variables.set(name, [...known, row])
  }
}

const cell = (value: unknown) => String(value).replaceAll('\n', ' ')
const defaultOf = ({ isOptional, value }: Row) => {
  if (!isOptional) return '**required**'
  // What an object stands for is no text to write into a variable: its description says what counts without one.
  const text = typeof value === 'object' && !Array.isArray(value) ? '' : cell(value ?? '')
  return text === '' ? '–' : `\`${text}\``
}
const readersOf = ({ services }: Row) =>
  services.length === serviceNames.length ? 'all' : services.join(', ')
const rows = [...variables]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([name, meanings]) =>
    meanings.map((row) => [`\`${name}\``, defaultOf(row), readersOf(row), cell(row.description)]),
  )

const text = `# Configuration

Every service is configured by environment variables alone. It checks them at the start: one message lists all that are
missing or wrong, and the process exits with 1. \`node tools/configuration-document.ts\` writes this page from the services'
declarations (\`services/*/src/config.ts\`).

**Secrets in files.** A file may hold the value of any variable: \`DATABASE_URL_FILE=/run/secrets/database-url\` in place of
\`DATABASE_URL\`. A line break at the file's end is removed. Setting both is an error, unless the variable itself is empty.

**Empty** variables count as not set, unless their row says otherwise.

**Flags** are \`true\` or \`false\`. **Keys** are PEM texts; \`\\n\` may stand for a line break.

${markdownTable(['variable', 'default', 'read by', 'what it is'], rows)}

The database migrations (\`node dist/migrate.js\` of messaging, users and realm) read \`DATABASE_URL\` and \`LOG_LEVEL\`. The
operators' commands list their variables with \`--help\`.
`

updateGenerated('configuration-document.ts', { [PATH]: text })
