import { z } from 'zod'
import { auditRecord } from './audit-log.ts'

/** 32 bits wide, with room for later IDs. */
const MAX_ID = 2 ** 30
const id = z.int().positive().max(MAX_ID)
const picture = z
  .string()
  .regex(/^[0-9a-f]{32}\.png$/)
  .nullable()

const organization = z
  .strictObject({
    kind: z.literal('organization'),
    id,
    string_id: z
      .string()
      .describe('The subdomain; empty for the default organization. An import may set another.'),
    date_created: z.number().describe('UNIX seconds, with milliseconds as decimals.'),
    settings: z
      .record(z.string(), z.unknown())
      .describe(
        'Every setting by its name in `PATCH /realm`, with its value as in the register response; groups by name.',
      ),
    icon: picture.describe('The uploaded icon, below `realm/<id>/`; null for a generated one.'),
    logo: picture.describe('The wide logo, likewise; null for none.'),
    night_logo: picture.describe('The wide logo of dark themes, likewise.'),
  })
  .describe('The organization; exactly one.')

const linkifier = z
  .strictObject({
    kind: z.literal('linkifier'),
    id,
    pattern: z.string().describe('A regular expression of RE2.'),
    url_template: z.string().describe('RFC 6570.'),
    order: z.int(),
  })
  .describe('A linkifier, in the order in which they apply.')

const playground = z
  .strictObject({
    kind: z.literal('playground'),
    id,
    name: z.string(),
    pygments_language: z.string(),
    url_template: z.string(),
  })
  .describe('A code playground.')

const emailDomain = z
  .strictObject({
    kind: z.literal('email_domain'),
    id,
    domain: z.string(),
    allow_subdomains: z.boolean(),
  })
  .describe('A domain whose addresses may join if the organization is restricted to domains.')

const emoji = z
  .strictObject({
    kind: z.literal('emoji'),
    id,
    name: z.string(),
    file_name: z
      .string()
      .regex(/^[0-9a-f]{32}\.(png|gif|webp)$/)
      .describe('Its picture, below `emoji/<organization>/`.'),
    animated: z.boolean().describe('If true, there is also a still picture, below `still/` there.'),
    author_id: id,
    deactivated: z.boolean(),
  })
  .describe('A custom emoji; deactivated ones are included, because messages may still show them.')

const profileField = z
  .strictObject({
    kind: z.literal('profile_field'),
    id,
    type: z.int(),
    name: z.string(),
    hint: z.string(),
    field_data: z.string().describe('JSON as text, as in the API; empty for types that have none.'),
    display_in_profile_summary: z.boolean(),
    required: z.boolean(),
    editable_by_user: z.boolean(),
    order: z.int(),
  })
  .describe('A custom profile field, in the order in which they are shown.')

const auditEntry = z
  .strictObject({
    kind: z.literal('audit_entry'),
    ...auditRecord.shape,
    id: z.int().positive(),
  })
  .describe(
    'An entry of the audit log, as in `GET /realm/audit_log`, the oldest first; only in a full export.',
  )

/** Every record of `realm.ndjson`, in the order of the kinds. */
export const realmRecord = z.discriminatedUnion('kind', [
  organization,
  linkifier,
  playground,
  emailDomain,
  emoji,
  profileField,
  auditEntry,
])
export type RealmRecord = z.output<typeof realmRecord>
