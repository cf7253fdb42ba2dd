import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** The fields that an error has beside `code` and `msg` (API document, "Errors"); codes that aren't here have none. */
export const errorDetails = {
  BAD_REQUEST: z.object({
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Where several parameters are checked at once: what is wrong with each.'),
  }),
  BAD_NARROW: z.object({ desc: z.string().describe('What is wrong.') }),
  BAD_EVENT_QUEUE_ID: z.object({ queue_id: z.string() }),
  CANNOT_DEACTIVATE_LAST_USER: z.object({ is_last_owner: z.boolean(), entity: z.string() }),
  INVITATION_FAILED: z.object({
    errors: z
      .array(z.tuple([z.string(), z.string(), z.boolean()]))
      .describe('Whom it concerns: the address, why, and whether they have an account that is deactivated.'),
    sent_invitations: z.boolean().describe('The others were invited.'),
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
    'retry-after': z.number().describe('Seconds after which it is worth trying again.'),
  }),
  REQUEST_CONFUSING_VAR: z.object({ var_name1: z.string(), var_name2: z.string() }),
  REQUEST_VARIABLE_INVALID: z.object({ var_name: z.string(), bad_value: z.string() }),
  REQUEST_VARIABLE_MISSING: z.object({ var_name: z.string() }),
  STREAM_DOES_NOT_EXIST: z.object({
    stream: z.string().optional().describe('The name by which it was addressed.'),
    stream_id: z.int().optional().describe('The ID by which it was addressed.'),
  }),
} as const satisfies Partial<Record<ErrorCode, z.ZodType>>
