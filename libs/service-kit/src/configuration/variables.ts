import { defaultSignOn } from '@tms/contracts'
import { z } from 'zod'
import { rabbitmqUrl } from '../addresses/server-urls.ts'
import { DEFAULT_SILENCE_SECONDS } from '../postgres/bounds.ts'
import { tracingVariables } from '../telemetry/tracing-settings.ts'
import { tlsVariables } from '../tls/settings.ts'
import { privateKey, publicKeys } from '../tokens/keys.ts'
import { signOn } from './sign-on.ts'

/** A comma-separated list of base URLs, one per replica. */
export const replicaUrls = z
  .string()
  .transform((value) => value.split(',').map((url) => url.trim().replace(/\/$/, '')))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))

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

/** Whether digests are mailed: users mails them, realm shows clients whether there are any. */
export const digestVariables = {
  DIGESTS: z
    .stringbool()
    .default(true)
    .describe('Whether organizations may have digests mailed to users who were away for long.'),
} as const

/** How users sign in: verified by users, shown to clients by realm. */
export const signOnVariables = {
  SIGN_ON: signOn
    .optional()
    .transform((settings) => settings ?? defaultSignOn)
    .describe(
      'How users sign in, as JSON ([sign-on.md](sign-on.md)): directories (LDAP), providers (OpenID Connect and others), and whether passwords are stored here. Absent: with e-mail address and password alone.',
    ),
} as const

/** A point of P-256 as VAPID and Web Push write it: 65 bytes in base64url. */
const PUBLIC_KEY = /^B[\w-]{86}$/

/** How notifications reach devices: users sends them, realm shows clients how to get them. */
export const pushVariables = {
  MOBILE_PUSH: z
    .string()
    .optional()
    .transform((text) => (text ?? '').split(',').map((name) => name.trim()))
    .transform((names) => names.filter((name) => name !== ''))
    .pipe(z.array(z.enum(['fcm', 'apns', 'relay'])))
    .refine((names) => !names.includes('relay') || names.length === 1, 'names relay together with others')
    .describe(
      "Which apps get notifications: of the installation's own `fcm` for Android, `apns` for Apple, or both, with a comma between them; or `relay` alone, for the apps of a push relay service. Users has the credentials ([notifications.md](notifications.md#apps)). Absent: none.",
    ),
  WEB_PUSH_PUBLIC_KEY: z
    .string()
    .regex(PUBLIC_KEY, 'is not the public part of a pair that `manage web-push-keys` makes')
    .optional()
    .transform((value) => value ?? null)
    .describe(
      'Public part of the key of the installation for Web Push, which browsers subscribe with ([notifications.md](notifications.md)); `manage web-push-keys` makes a pair. Absent: no Web Push. Another key ends every subscription.',
    ),
} as const
