import { parseArgs } from 'node:util'
import { type ExampleName, parseExampleNames } from '../sign-on-examples/example-names.ts'
import { type ServiceName, serviceNames } from '../system/service-names.ts'

export type StartSettings = {
  /** Undefined: the last one, 9991, or a free one. */
  port: number | undefined
  replicas: Partial<Record<ServiceName, number>>
  /** Undefined: .local/data in the checkout. */
  dataDir: string | undefined
  isVerbose: boolean
  logLevel: string
  mayInstall: boolean
  mayUseDocker: boolean
  /** Whether the first organization is created if it is missing. */
  wantsOrganization: boolean
  /** Ways to sign in that are added. */
  examples: readonly ExampleName[]
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error']

/** `npm start -- --help` explains these; a test compares the two. */
export const startFlags = {
  port: { type: 'string' },
  replicas: { type: 'string', multiple: true },
  'data-dir': { type: 'string' },
  verbose: { type: 'boolean' },
  'log-level': { type: 'string' },
  'no-packages': { type: 'boolean' },
  'no-docker': { type: 'boolean' },
  'no-organization': { type: 'boolean' },
  with: { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const

/** Parses flags and environment. Throws an error whose message is meant for the user. */
export function parseSettings(args: string[], env: NodeJS.ProcessEnv): StartSettings {
  const { values } = parseArgs({ args, options: startFlags, allowPositionals: false })
  const logLevel = values['log-level'] ?? env['LOG_LEVEL'] ?? 'info'
  if (!logLevels.includes(logLevel)) throw new Error(`log level ${logLevel}: one of ${logLevels.join(', ')}`)
  return {
    port: parsePort(values.port ?? env['PORT']),
    replicas: parseReplicas(values.replicas ?? []),
    dataDir: values['data-dir'] ?? env['DATA_DIR'],
    isVerbose: values.verbose ?? false,
    logLevel,
    mayInstall: !values['no-packages'],
    mayUseDocker: !values['no-docker'],
    wantsOrganization: !values['no-organization'],
    examples: parseExamples(values.with ?? [], env),
  }
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Error(`port ${text}: a number from 1 to 65535`)
}

function parseExamples(texts: string[], env: NodeJS.ProcessEnv): ExampleName[] {
  const names = parseExampleNames(texts)
  const variable = ['SIGN_ON', 'SIGN_ON_FILE'].find((name) => env[name])
  if (names.length > 0 && variable !== undefined)
    throw new Error(`with ${names.join(',')}: ${variable} is set, and would count no more; unset it`)
  return names
}

/** Parses `events=2,messaging=2`. */
function parseReplicas(texts: string[]): Partial<Record<ServiceName, number>> {
  const replicas: Partial<Record<ServiceName, number>> = {}
  for (const part of texts.flatMap((text) => text.split(','))) {
    const [name, count] = part.trim().split('=')
    const service = serviceNames.find((known) => known === name)
    if (!service || !/^[1-9]\d?$/.test(count ?? '')) {
      throw new Error(`replicas ${part}: as in events=2, with one of ${serviceNames.join(', ')}`)
    }
    replicas[service] = Number(count)
  }
  return replicas
}
