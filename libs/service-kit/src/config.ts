import { z } from 'zod'
import { wordIssue } from './describe-issue.ts'
import { rabbitmqUrl } from './server-urls.ts'

/** A comma-separated list of base URLs, one per replica. */
export const replicaUrls = z
  .string()
  .transform((value) => value.split(',').map((url) => url.trim().replace(/\/$/, '')))
  .pipe(z.array(z.url()).min(1))

/** A PEM key; `\n` may be written for line breaks, as environment files often need. */
export const pemKey = z
  .string()
  .transform((value) => value.replaceAll('\\n', '\n'))
  .refine((value) => value.startsWith('-----BEGIN'), 'is not a PEM key')

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
  JWT_PUBLIC_KEY: pemKey.describe("Verifies the gateway's tokens (PEM)."),
  INTERNAL_PUBLIC_KEY: pemKey.describe('Verifies tokens of calls between services (PEM).'),
  INTERNAL_PRIVATE_KEY: pemKey.describe('Signs tokens of calls between services (PEM).'),
} as const

/** Base URLs of the other services; a service declares those it calls. */
export const peerVariables = {
  USERS_URL: replicaUrls.describe('Base URLs of users, separated by commas.'),
  REALM_URL: replicaUrls.describe('Base URLs of realm, separated by commas.'),
  MESSAGING_URL: replicaUrls.describe('Base URLs of messaging, separated by commas.'),
  EVENTS_URL: replicaUrls.describe('Base URLs of events, separated by commas.'),
} as const

/** How clients reach the installation. */
export const externalVariables = {
  EXTERNAL_HOST: z.string().default('localhost:9991').describe('Host and port that clients use.'),
  EXTERNAL_SCHEME: z.enum(['http', 'https']).default('http').describe('Scheme that clients use.'),
} as const

/** How much organizations may upload: told by realm, enforced by messaging. */
export const quotaVariables = {
  UPLOAD_QUOTA_MIB: z
    .preprocess((value) => (value === '' ? undefined : value), z.coerce.number().int().min(1).optional())
    .transform((value) => value ?? null)
    .describe('MiB that the files of each organization may take together; no limit when absent.'),
} as const

/**
 * Reads a service's variables. Throws one error that names everything that is wrong, so that an operator
 * mends all of it at once.
 */
export function parseEnvironment<S extends z.ZodType>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const parsed = schema.safeParse(environment, { error: wordIssue })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.')
    const isMissing = environment[name] === undefined
    return `  ${name} ${isMissing ? 'is required' : issue.message}`
  })
  throw new Error(`The configuration is wrong:\n${problems.join('\n')}`)
}
