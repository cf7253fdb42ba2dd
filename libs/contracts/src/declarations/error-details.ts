import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { tokenScopes } from './token-scope.ts'

/** A use of a user group, which prevents its deactivation. */
const groupObjection = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subgroup'), supergroup_ids: z.array(z.int()) }),
  z.object({ type: z.literal('user_group'), group_id: z.int(), settings: z.array(z.string()) }),
  z.object({
    type: z.literal('channel'),
    channel_id: z.int().optional().describe("Absent for channels that the caller can't see."),
    settings: z.array(z.string()),
  }),
  z.object({ type: z.literal('realm'), settings: z.array(z.string()) }),
])
export type GroupObjection = z.output<typeof groupObjection>

/** Fields of errors beside `code` and `msg` (API document, "Errors"); other codes have none. */
export const errorDetails = {
  BAD_REQUEST: z.object({
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('If several parameters are checked together: the problems of each.'),
    parameters: z.string().optional().describe('If parameters exclude each other: those that are too many.'),
  }),
  BAD_NARROW: z.object({ desc: z.string().describe('What is wrong.') }),
  BAD_EVENT_QUEUE_ID: z.object({ queue_id: z.string() }),
  CANNOT_DEACTIVATE_GROUP_IN_USE: z.object({
    objections: z
      .array(groupObjection)
      .describe('The groups that contain it, and the settings that name it.'),
  }),
  EXPECTATION_MISMATCH: z.object({ field_name: z.string().describe('The part of the value that differs.') }),
  MISSING_HTTP_EVENT_HEADER: z.object({ header: z.string() }),
  ANOMALOUS_WEBHOOK_PAYLOAD: z.object({ webhook_name: z.string() }),
  CANNOT_DEACTIVATE_LAST_USER: z.object({ is_last_owner: z.boolean(), entity: z.string() }),
  INVITATION_FAILED: z.object({
    errors: z
      .array(z.tuple([z.string(), z.string(), z.boolean()]))
      .describe('The addresses concerned, each with the reason and whether it has a deactivated account.'),
    sent_invitations: z.boolean().describe('Whether the others were invited.'),
    daily_limit_reached: z.boolean(),
    license_limit_reached: z.boolean(),
  }),
  METHOD_NOT_ALLOWED: z.object({ allowed_methods: z.array(z.string()) }),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: z.object({
    first_message_id_allowed_to_move: z.int().optional(),
    total_messages_in_topic: z.int(),
    total_messages_allowed_to_move: z.int(),
  }),
  RATE_LIMIT_HIT: z.object({
    'retry-after': z.number().describe('Seconds after which to try again.'),
  }),
  REQUEST_CONFUSING_VAR: z.object({ var_name1: z.string(), var_name2: z.string() }),
  REQUEST_VARIABLE_INVALID: z.object({ var_name: z.string(), bad_value: z.string() }),
  REQUEST_VARIABLE_MISSING: z.object({ var_name: z.string() }),
  STREAM_DOES_NOT_EXIST: z.object({
    stream: z.string().optional().describe('The name by which it was addressed.'),
    stream_id: z.int().optional().describe('The ID by which it was addressed.'),
  }),
  SYSTEM_GROUP_REQUIRED: z.object({ setting_name: z.string() }),
  TOKEN_SCOPE_REQUIRED: z.object({ scope: z.enum(tokenScopes).describe('The missing scope.') }),
} as const satisfies Partial<Record<ErrorCode, z.ZodType>>
