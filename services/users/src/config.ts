import { blobStoreVariables } from '@tms/blob-store'
import {
  commonVariables,
  databaseVariables,
  digestVariables,
  externalVariables,
  peerVariables,
  postgresUrl,
  pushVariables,
  redisUrl,
  signOnVariables,
  webhookVariables,
} from '@tms/service-kit'
import { z } from 'zod'

export const configSchema = z.object({
  ...commonVariables,
  ...externalVariables,
  ...blobStoreVariables,
  ...webhookVariables,
  ...signOnVariables,
  ...pushVariables,
  ...digestVariables,
  REALM_URL: peerVariables.REALM_URL,
  MESSAGING_URL: peerVariables.MESSAGING_URL,
  DATABASE_URL: postgresUrl('PostgreSQL of the users service'),
  ...databaseVariables,
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(10)
    .default(20)
    .describe('Connections of one replica; five of them run jobs.'),
  REDIS_URL: redisUrl('Redis that stores presence and announces changes'),
  MAIL_URL: z
    .url({ protocol: /^(smtps?|file)$/ })
    .refine(
      isDestination,
      'names neither a host, such as smtp://host:port, nor a folder, such as file:///a/folder',
    )
    .describe(
      'Where mails go: smtp://user:password@host:port, smtps://…, or file:///a/folder, a file for each. Over smtp:// a password is sent after STARTTLS alone, unless the URL ends with ?requireTLS=false.',
    ),
  MAIL_FROM: z.email().describe('Address that mails come from.'),
  DEVELOPMENT_LOGIN: z
    .stringbool()
    .default(false)
    .describe("Lets anyone fetch any user's API key without a password: for development only."),
  PASSWORD_ATTEMPTS_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .describe('Wrong passwords per user name within the window; further attempts have to wait.'),
  PASSWORD_ATTEMPTS_WINDOW_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_800)
    .describe('Seconds after which a wrong password is forgotten.'),
  INVITATION_LINK_VALIDITY_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(14_400)
    .describe('Minutes after which invitations expire, unless their sender chooses otherwise.'),
  INVITES_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(100)
    .describe('Invitations by mail that an organization may send on a day (UTC); 0: any number.'),
  INVITES_PER_DAY_OF_NEW_REALMS: z.coerce
    .number()
    .int()
    .min(0)
    .default(100)
    .describe(
      'Invitations by mail that all organizations younger than a week may send together on a day; 0: any number.',
    ),
  INVITES_MIN_USER_AGE_DAYS: z.coerce
    .number()
    .min(0)
    .default(3)
    .describe('Days before a new user may invite others, in organizations where anyone may sign up.'),
  MISSED_MESSAGE_MAILS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(100)
    .describe(
      'Mails about missed messages that a user gets within a day, the last of which sums up the rest; 0: any number.',
    ),
  MAIL_REPLY_ADDRESS: z
    .string()
    .refine(isReplyPattern, 'is not an address with one %s, such as reply+%s@example.com')
    .optional()
    .transform((value) => value ?? null)
    .describe(
      'Address at which people answer mails about missed messages, with %s where a token of 32 characters goes: reply+%s@example.com. A mail server of yours relays it to MAIL_REPLY_PORT. Absent: such mails cannot be answered.',
    ),
  MAIL_REPLY_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(2525)
    .describe('Port at which replies by mail arrive by SMTP, if there is MAIL_REPLY_ADDRESS.'),
  WEB_PUSH_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'is not the private part of a pair that `manage web-push-keys` makes')
    .optional()
    .transform((value) => value ?? null)
    .describe('Private part of WEB_PUSH_PUBLIC_KEY.')
    .meta({ needs: ['WEB_PUSH_PUBLIC_KEY'] }),
  FCM_SERVICE_ACCOUNT: z
    .string()
    .optional()
    .transform((value) => value ?? null)
    .describe("The JSON of a key of a service account that may send messages of the app's Firebase project.")
    .meta({ needs: ['MOBILE_PUSH'] }),
  FCM_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://fcm.googleapis.com')
    .describe('Where Firebase Cloud Messaging is reached.'),
  APNS_KEY: z
    .string()
    .optional()
    .transform((value) => value ?? null)
    .describe("Apple's signing key for notifications (`.p8`, PEM; line ends may be written as \\n).")
    .meta({ needs: ['APNS_KEY_ID', 'APNS_TEAM_ID', 'MOBILE_PUSH'] }),
  APNS_KEY_ID: z
    .string()
    .optional()
    .transform((value) => value ?? null)
    .describe('Its ID.'),
  APNS_TEAM_ID: z
    .string()
    .optional()
    .transform((value) => value ?? null)
    .describe("The ID of the developers' team."),
  APNS_TOPIC: z
    .string()
    .optional()
    .transform((value) => value ?? null)
    .describe('The bundle ID of the app, for devices that register without one.'),
  APNS_URL: z
    .url({ protocol: /^https$/ })
    .default('https://api.push.apple.com')
    .describe(
      "Where Apple's service is reached; https://api.sandbox.push.apple.com for builds of developers.",
    ),
  PUSH_REGISTRATION_KEY: z
    .string()
    .regex(
      /^[\w+/]{43}=(?:,[\w+/]{43}=)*$/,
      'is not a private key that `manage push-registration-key` makes, or several with commas between them',
    )
    .optional()
    .transform((value) => value ?? null)
    .describe(
      'Private key that apps seal their tokens for, to get encrypted notifications ([notifications.md](notifications.md#encrypted-notifications)); `manage push-registration-key` makes one. Several, with commas between them, while apps with an older one are in use. Absent: there are none.',
    )
    .meta({ needs: ['MOBILE_PUSH'] }),
  PUSH_RELAY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where the push relay service is reached, for MOBILE_PUSH=relay ([notifications.md](notifications.md#a-push-relay-service)).',
    )
    .meta({ needs: ['PUSH_RELAY_ORGANIZATION', 'PUSH_RELAY_KEY', 'MOBILE_PUSH'] }),
  PUSH_RELAY_ORGANIZATION: z
    .uuid()
    .optional()
    .transform((value) => value ?? null)
    .describe(
      'The UUID by which the push relay service knows the installation; `manage push-relay keys` makes one.',
    ),
  PUSH_RELAY_KEY: z
    .string()
    .length(64)
    .optional()
    .transform((value) => value ?? null)
    .describe('The key that belongs to PUSH_RELAY_ORGANIZATION.'),
  PUSH_CONTACT: z
    .url({ protocol: /^(mailto|https)$/ })
    .optional()
    .transform((value) => value ?? null)
    .describe(
      'Where push services reach the operator: mailto:someone@example.com or https://…; absent: MAIL_FROM.',
    ),
  PUSHES_TO_PRIVATE_ADDRESSES: z
    .stringbool()
    .default(false)
    .describe(
      'Lets users register push services on this machine and in private networks, and any without TLS, public ones too; only for installations where every user may reach those.',
    ),
  PUSHES_PER_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .default(120)
    .describe(
      'Notifications that appear on the devices of a user within an hour, the last of which sums up the rest; 0: any number.',
    ),
  PUSH_CONTENT: z
    .stringbool()
    .default(true)
    .describe(
      'Whether notifications on devices show texts, names of senders and conversations; otherwise they only say that there is a message.',
    ),
  MAIL_REQUESTS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .default(2)
    .describe('Mails of one kind that may be requested for an address within an hour; 0: any number.'),
  MAIL_REQUESTS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('Mails of one kind that may be requested for an address within a day; 0: any number.'),
  MAIL_REQUESTS_PER_IP_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe(
      'Mails that one client address (IPv6: a /64) may request without an account within a day; 0: any number.',
    ),
})
export type Config = z.output<typeof configSchema>

/** Local parts have 64 characters at most, of which a token takes 32. */
function isReplyPattern(text: string): boolean {
  const [before, after, ...more] = text.split('%s')
  return (
    more.length === 0 &&
    after !== undefined &&
    z.email().safeParse(`${before}${'0'.repeat(32)}${after}`).success &&
    (before ?? '').length + 32 + after.indexOf('@') <= 64
  )
}

function isDestination(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { protocol, hostname, pathname } = new URL(text)
  return protocol === 'file:' ? hostname === '' && pathname !== '/' : hostname !== ''
}
