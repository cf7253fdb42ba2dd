import {
  commonVariables,
  externalVariables,
  peerVariables,
  privateKey,
  redisUrl,
  tracingVariables,
} from '@tms/service-kit'
import { z } from 'zod'
import { isAddressList } from './requests/addresses.ts'

const { HOST, PORT, DRAIN_SECONDS, LOG_LEVEL, NAMESPACE, INTERNAL_PRIVATE_KEY } = commonVariables
const { TLS_CA, TLS_CERTIFICATE, TLS_KEY, SERVE_TLS } = commonVariables

const count = z.coerce.number().int().min(0)
const seconds = z.coerce.number().min(1)
/** Headers with another meaning. */
const UNUSABLE_HEADERS = [
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'transfer-encoding',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

const addressList = z
  .string()
  .default('')
  .refine(
    (text) => text === '' || isAddressList(text),
    'is no list of addresses or networks, such as 10.0.0.0/8, separated by commas',
  )

export const configSchema = z.object({
  HOST,
  PORT,
  DRAIN_SECONDS,
  LOG_LEVEL,
  NAMESPACE,
  INTERNAL_PRIVATE_KEY,
  ...tracingVariables,
  TLS_CA,
  TLS_CERTIFICATE,
  TLS_KEY,
  SERVE_TLS,
  ...peerVariables,
  ...externalVariables,
  JWT_PRIVATE_KEY: privateKey.describe('Signs the tokens that identify the caller to services (PEM).'),
  REDIS_URL: redisUrl(
    'Redis, where replicas count calls together (nothing is limited without it) and through which changes of accounts are announced',
  ),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(200)
    .describe('Calls that one user may make in a minute; 0 means no limit.'),
  FAILED_LOGINS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(20)
    .describe('Refused credentials that one address may send in a minute; 0 means no limit.'),
  ANONYMOUS_CALLS_PER_MINUTE: count
    .default(300)
    .describe(
      'Calls without credentials that one address may make in a minute, except for pictures of users and organizations; 0 means no limit.',
    ),
  MAX_CONNECTIONS: count
    .default(25_000)
    .describe(
      'Connections at once to one replica: an idle one takes 16 KB, 7 KB as a stream; 0 means no limit.',
    ),
  MAX_CONNECTIONS_PER_ADDRESS: count
    .default(2_000)
    .describe(
      'Connections at once from one address (of IPv6 a /64) to one replica, or requests behind a proxy; 0 means no limit, which many clients behind one address may need.',
    ),
  MAX_PIPELINED_REQUESTS: count
    .min(1)
    .default(16)
    .describe('Requests that one connection may have waiting for their answers.'),
  MAX_HEADERS: count.min(20).default(100).describe('Headers of one request.'),
  HEADERS_TIMEOUT_SECONDS: seconds
    .default(20)
    .describe('How long a connection may take until the headers of its first request are complete.'),
  KEEP_ALIVE_SECONDS: seconds
    .default(100)
    .describe(
      'How long an idle connection is kept for the next request: longer than a proxy in front keeps it (Traefik 90 s), otherwise the proxy may send a request over one that is just being closed.',
    ),
  ANSWER_TIMEOUT_SECONDS: seconds
    .default(30)
    .describe(
      'A request that has not come, or is not answered, by then is refused: too small fails slow searches, too large hides a hung service.',
    ),
  SILENT_REPLICA_SECONDS: seconds
    .default(15)
    .describe(
      'A replica that answers no health check, or reports no progress of a request, for so long is skipped while there is another, and its pending polls move there: too small moves polls away from a replica that is only busy, below 10 also from one that is not, since services report every 6 seconds.',
    ),
  MIN_BYTES_PER_SECOND: count
    .default(1_024)
    .describe(
      'Clients that send a file, or read an answer, more slowly than this over ANSWER_TIMEOUT_SECONDS are disconnected.',
    ),
  TRUST_PROXY: z
    .stringbool()
    .default(false)
    .describe('Believe x-forwarded-for, -host and -proto; only behind a proxy that sets them.'),
  TRUSTED_PROXIES: addressList.describe(
    'Addresses and networks of the proxies, separated by commas: with TRUST_PROXY, the headers of other peers are ignored; needed if several proxies are chained. Absent: every peer is a proxy.',
  ),
  REMOTE_USER_HEADER: z
    .string()
    .default('')
    .transform((name) => name.toLowerCase())
    .refine(
      (name) => name === '' || (/^[a-z0-9-]+$/.test(name) && !UNUSABLE_HEADERS.includes(name)),
      'is no name of a header that could name a user',
    )
    .describe(
      'Header in which a proxy names the user that it has signed in (docs/sign-on.md); for `remote_user` of SIGN_ON. Needs REMOTE_USER_PROXIES.',
    ),
  REMOTE_USER_PROXIES: addressList.describe(
    'Addresses and networks of the proxies whose REMOTE_USER_HEADER is believed, separated by commas. They must remove it from requests of clients. Of others it is never forwarded.',
  ),
})
export type Config = z.output<typeof configSchema>
