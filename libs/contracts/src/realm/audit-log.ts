import { z } from 'zod'
import { auditTargetTypes, MAX_AUDIT_DETAILS_LENGTH } from '../declarations/audit.ts'

/** Kinds of those who act: a user, somebody without an account, or a part of the installation. */
export const actorKinds = ['user', 'nobody', 'provisioning', 'directory', 'command_line', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** Most targets of one entry: more make an answer large, fewer make more entries. */
export const MAX_AUDIT_TARGETS = 100

export const auditTargetType = z.enum(auditTargetTypes)

/** An entry of an organization's audit log, as administrators get it. */
export const auditRecord = z.object({
  id: z.int().describe('Ascending within the organization.'),
  time: z.number().describe('UNIX seconds, with milliseconds as decimals.'),
  actor_kind: z
    .enum(actorKinds)
    .describe(
      '`user`; `nobody` for requests without an account; `provisioning` by SCIM; `directory` for what a directory, or another server at a sign-in, says; `command_line` for operators; `system` for what follows by itself.',
    ),
  actor_id: z.int().nullable().describe('The user who acted; null unless `actor_kind` is `user`.'),
  action: z.string(),
  target_type: auditTargetType.nullable().describe('Null: the organization as a whole.'),
  target_ids: z
    .array(z.int())
    .describe(`Up to ${MAX_AUDIT_TARGETS} of the type; what was done to more at once makes several entries.`),
  channel_id: z.int().nullable().describe('The channel that it happened in, if that is not the target.'),
  group_id: z.int().nullable().describe('The user group, likewise.'),
  details: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      `Old and new values, by action. If they are longer than ${MAX_AUDIT_DETAILS_LENGTH} characters of JSON, \`truncated\` names the long ones: each is the beginning of its JSON then.`,
    ),
  ip_address: z.string().nullable().describe("The client's; null without one."),
  client: z.string().nullable().describe('The client program, as it calls itself.'),
  request_id: z.string().nullable(),
})
export type AuditRecord = z.output<typeof auditRecord>

/** For how many days an organization may keep entries. The least protects the trace of somebody who has just done harm. */
export const auditRetentionDays = { min: 30, max: 36_500 } as const

/** Most entries of one answer. */
export const MAX_AUDIT_PAGE = 1_000
