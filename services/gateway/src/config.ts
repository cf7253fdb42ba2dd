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
  JWT_PRIVATE_KEY: privateKey.describe('Signs the tokens by which services know the caller (PEM).'),
  REDIS_URL: redisUrl(
    'Redis, where replicas count calls together, without which nothing is limited, and over which changes of accounts are announced',
  ),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(200)
    .describe('Calls that one user may make in a minute; 0 is no limit.'),
  FAILED_LOGINS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(20)
    .describe('Refused credentials that one address may send in a minute; 0 is no limit.'),
  ANONYMOUS_CALLS_PER_MINUTE: count
    .default(300)
    .describe(
      'Calls without credentials that one address may make in a minute, pictures of users and organizations left out; 0 is no limit.',
    ),
  MAX_CONNECTIONS: count
    .default(25_000)
    .describe('Connections at once to one replica: an idle one takes 15 KB; 0 is no limit.'),
  MAX_CONNECTIONS_PER_ADDRESS: count
    .default(2_000)
    .describe(
      'Connections at once from one address (of IPv6 a /64) to one replica, or requests behind a proxy; 0 is no limit, as many clients behind one address may need.',
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
      'How long an idle connection is kept for the next request: longer than a proxy in front keeps it (Traefik 90 s), or the proxy may send a request over one that just ends.',
    ),
  ANSWER_TIMEOUT_SECONDS: seconds
    .default(30)
    .describe(
      'A request that has not come, or is not answered, by then is refused: too small fails slow searches, too large hides a hung service.',
    ),
  SILENT_REPLICA_SECONDS: seconds
    .default(15)
    .describe(
      'A replica that does not even say that it lives, or that it works at a request, for so long is passed over while there is another, and polls that it holds go there: too small moves polls away from one that is only busy, below 10 also from one that is not, since services say so every 6 seconds.',
    ),
  MIN_BYTES_PER_SECOND: count
    .default(1_024)
    .describe(
      'Clients who send a file, or take an answer, more slowly than this over ANSWER_TIMEOUT_SECONDS are cut off.',
    ),
  TRUST_PROXY: z
    .stringbool()
    .default(false)
    .describe('Believe x-forwarded-for, -host and -proto; only behind a proxy that sets them.'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || isAddressList(text),
      'is no list of addresses or networks, such as 10.0.0.0/8, separated by commas',
    )
    .describe(
      'Addresses and networks of the proxies, separated by commas: with TRUST_PROXY, nobody else is believed; needed where several are behind one another. Absent: whoever connects is a proxy.',
    ),
})
export type Config = z.output<typeof configSchema>
