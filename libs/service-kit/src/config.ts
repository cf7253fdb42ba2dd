import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { wordIssue } from './describe-issue.ts'
import { arePublicKeys, isPrivateKey } from './keys.ts'
import { DEFAULT_SILENCE_SECONDS } from './postgres/bounds.ts'
import { rabbitmqUrl } from './server-urls.ts'
import { tlsVariables } from './tls/settings.ts'
import { tracingVariables } from './tracing/settings.ts'

/** A comma-separated list of base URLs, one per replica. */
export const replicaUrls = z
  .string()
  .transform((value) => value.split(',').map((url) => url.trim().replace(/\/$/, '')))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))

/** PEM text; `\n` may be written for line breaks, as environment files often need. */
const pem = z.string().transform((value) => value.replaceAll('\\n', '\n'))

/** A private key that signs tokens. */
export const privateKey = pem.refine(
  isPrivateKey,
  'is not a private key of the curve P-256 (PEM, "-----BEGIN PRIVATE KEY-----")',
)

/** Public keys that verify tokens: usually one, and two while the private key is being replaced. */
export const publicKeys = pem.refine(
  arePublicKeys,
  'is not a public key of the curve P-256, nor several after one another (PEM, "-----BEGIN PUBLIC KEY-----")',
)

/** Variables of every service. */
export const commonVariables = {
  HOST: z.string().default('0.0.0.0').describe('Address to listen on.'),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe('Port to listen on; 0 takes a free one.'),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(8)
    .default(5)
    .describe(
      'How long a stopping process continues to serve while /health/ready reports that it is leaving: longer than a load balancer takes to notice, and than the 4 seconds for which peers keep idle connections.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest level that is logged.'),
  NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/)
    .default('')
    .describe('Prefix of exchange, queue and Redis key names, so that several systems can share servers.'),
  RABBITMQ_URL: rabbitmqUrl,
  JWT_PUBLIC_KEY: publicKeys.describe(
    "Verifies the gateway's tokens (PEM); several keys after one another while the gateway gets another.",
  ),
  INTERNAL_PUBLIC_KEY: publicKeys.describe(
    'Verifies tokens of calls between services (PEM); several keys after one another while services get another.',
  ),
  INTERNAL_PRIVATE_KEY: privateKey.describe('Signs tokens of calls between services (PEM).'),
  ...tracingVariables,
  ...tlsVariables,
} as const

/** Variables of services with a database, and of programs that work on one. */
export const databaseVariables = {
  DATABASE_SILENCE_SECONDS: z.coerce
    .number()
    .min(5)
    .max(600)
    .default(DEFAULT_SILENCE_SECONDS)
    .describe(
      'After this time without a word, a connection to a lost PostgreSQL server is closed, and PostgreSQL closes that of a lost client. Too few close connections to a server that is merely slow, too many keep requests and events waiting.',
    ),
} as const

/** Base URLs of the other services; a service declares those it calls. */
export const peerVariables = {
  USERS_URL: replicaUrls.describe('Base URLs of users, as http://host:port, separated by commas.'),
  REALM_URL: replicaUrls.describe('Base URLs of realm, as http://host:port, separated by commas.'),
  MESSAGING_URL: replicaUrls.describe('Base URLs of messaging, as http://host:port, separated by commas.'),
  EVENTS_URL: replicaUrls.describe('Base URLs of events, as http://host:port, separated by commas.'),
} as const

/** A name or an address, and a port if it is not the scheme's. Helm reads it too, whose engine has no lookaheads. */
const HOST_AND_PORT =
  /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*)(:[0-9]{1,5})?$/

/** How clients reach the installation. */
export const externalVariables = {
  EXTERNAL_HOST: z
    .string()
    .regex(HOST_AND_PORT, 'is no host, nor host:port, such as chat.example.com or localhost:9991')
    .default('localhost:9991')
    .describe('Host and port that clients use.'),
  EXTERNAL_SCHEME: z.enum(['http', 'https']).default('http').describe('Scheme that clients use.'),
} as const

/** Upload quota of organizations: returned by realm, enforced by messaging. */
export const quotaVariables = {
  UPLOAD_QUOTA_MIB: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .transform((value) => value ?? null)
    .describe('MiB that the files of each organization may take together; no limit if absent.'),
} as const

/** Which addresses outgoing webhooks may call: users refuses other URLs, messaging doesn't call other addresses. */
export const webhookVariables = {
  WEBHOOKS_TO_PRIVATE_ADDRESSES: z
    .stringbool()
    .default(false)
    .describe(
      'Lets outgoing webhooks call this machine and private networks; only for installations where everyone who can create bots may reach those.',
    ),
} as const

/**
 * Parses a service's variables. Each may also be the content of a file that `<name>_FILE` names, as secrets usually
 * are. An empty variable counts as absent, unless its declaration gives emptiness a meaning: `meta({ takesEmpty: true
 * })`. `meta({ needs: [names] })` names other variables that it requires. Throws one error that lists every problem,
 * so that an operator can fix all at once.
 */
export function parseEnvironment<S extends z.ZodObject>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const { values, problems } = withFiles(schema, environment)
  const parsed = schema.safeParse(values, { error: wordIssue })
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0])
    if (problems.has(name)) continue
    problems.set(name, values[name] === undefined ? 'is required' : issue.message)
  }
  for (const [name, problem] of missingBeside(schema, values)) {
    if (!problems.has(name)) problems.set(name, problem)
  }
  if (parsed.success && problems.size === 0) return parsed.data
  const lines = [...problems].map(([name, problem]) => {
    const { description } = metaOf(schema, name)
    return typeof description === 'string'
      ? `  ${name} ${problem}\n    ${description}`
      : `  ${name} ${problem}`
  })
  throw new Error(`Invalid configuration:\n${lines.join('\n')}`)
}

/** The environment with the variables read from files, and the problems of those files by variable. */
function withFiles(
  schema: z.ZodObject,
  environment: Readonly<Record<string, string | undefined>>,
): { values: Record<string, string | undefined>; problems: Map<string, string> } {
  const values = { ...environment }
  const problems = new Map<string, string>()
  for (const name of Object.keys(schema.shape)) {
    const path = environment[`${name}_FILE`]
    if (path) {
      if (environment[name]) problems.set(name, `is given twice: by itself and by ${name}_FILE`)
      else readInto(values, name, path, problems)
    }
    // Compose passes every variable that its file names, empty if it is not set.
    if (values[name] === '' && metaOf(schema, name).takesEmpty !== true) delete values[name]
  }
  return { values, problems }
}

function readInto(
  values: Record<string, string | undefined>,
  name: string,
  path: string,
  problems: Map<string, string>,
): void {
  try {
    // Editors end a file with a line break, which belongs to no secret.
    values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    problems.set(name, `can't be read from ${path}, which ${name}_FILE names (${code})`)
  }
}

/** Variables that are set, or switched on, without those that they need. */
function missingBeside(
  schema: z.ZodObject,
  values: Readonly<Record<string, string | undefined>>,
): (readonly [name: string, problem: string])[] {
  const isOff = (name: string) => schema.shape[name]?.safeParse(values[name]).data === false
  return Object.keys(schema.shape).flatMap((name) => {
    const { needs } = metaOf(schema, name)
    if (!Array.isArray(needs) || values[name] === undefined || isOff(name)) return []
    const missing = needs.filter((needed) => values[needed] === undefined)
    return missing.length === 0 ? [] : [[name, `needs ${missing.join(' and ')}`] as const]
  })
}

function metaOf(schema: z.ZodObject, name: string): Readonly<Record<string, unknown>> {
  return (schema.shape[name] as z.ZodType | undefined)?.meta() ?? {}
}
