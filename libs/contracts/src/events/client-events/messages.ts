import { z } from 'zod'
import { messageUpdated } from '../../messaging/events.ts'
import {
  attachmentRecord,
  draftRecord,
  messageFlag,
  messageRecord,
  reactionEmoji,
  scheduledMessageRecord,
  submessageRecord,
} from '../../messaging/records.ts'
import { clientEvent } from './client-event.ts'

const typist = z.object({ user_id: z.int(), email: z.string() })
const flags = z.array(messageFlag)
const attachments = { upload_space_used: z.int() }

/** What happens to messages, and to what belongs to them. */
export const messageEvents = [
  clientEvent('message', 'A message was sent', {
    message: messageRecord,
    flags,
    local_message_id: z
      .string()
      .optional()
      .describe('In the queue that the sender named: what the sender calls the message.'),
  }),
  clientEvent('update_message', 'A message was edited, or messages were moved', {
    ...messageUpdated.payload.shape.update.shape,
    flags,
  }),
  clientEvent('delete_message', 'Messages were deleted, or moved out of reach', {
    message_ids: z
      .array(z.int())
      .optional()
      .describe(
        'All of them, to clients with `bulk_message_deletion`; to others each in an event of its own.',
      ),
    message_id: z.int().optional(),
    message_type: z.enum(['private', 'stream']),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  clientEvent('update_message_flags', 'Your flags on messages changed', {
    op: z.enum(['add', 'remove']),
    operation: z.enum(['add', 'remove']).describe('A legacy copy of `op`.'),
    flag: messageFlag,
    messages: z.array(z.int()),
    all: z.boolean().describe('All messages are meant, and `messages` is empty.'),
    /** Only when `read` is removed: where each message is, keyed by its ID. */
    message_details: z
      .record(
        z.string(),
        z.object({
          type: z.enum(['private', 'stream']),
          mentioned: z.literal(true).optional(),
          user_ids: z.array(z.int()).optional(),
          stream_id: z.int().optional(),
          topic: z.string().optional(),
          unmuted_stream_msg: z.boolean().optional(),
        }),
      )
      .optional(),
  }),
  clientEvent('reaction', 'Someone reacted to a message, or took that back', {
    op: z.enum(['add', 'remove']),
    message_id: z.int(),
    ...reactionEmoji.shape,
    user_id: z.int(),
    user: z
      .object({ user_id: z.int(), email: z.string(), full_name: z.string() })
      .describe('A legacy form of `user_id`.'),
  }),
  clientEvent('submessage', 'Something was attached to a message, such as a vote in a poll', {
    ...submessageRecord.omit({ id: true }).shape,
    submessage_id: z.int(),
  }),
  clientEvent('typing', 'Someone began to type, still does, or stopped', {
    op: z.enum(['start', 'stop']),
    message_type: z.enum(['direct', 'stream']),
    sender: typist,
    recipients: z.array(typist).optional().describe('Of a direct conversation.'),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  clientEvent('attachment add', 'You uploaded a file', { ...attachments, attachment: attachmentRecord }),
  clientEvent('attachment update', 'Which messages link your file changed', {
    ...attachments,
    attachment: attachmentRecord,
  }),
  clientEvent('attachment remove', 'Your file was deleted', {
    ...attachments,
    attachment: z.object({ id: z.int() }),
  }),
  clientEvent('drafts add', 'You wrote drafts', { drafts: z.array(draftRecord) }),
  clientEvent('drafts update', 'You changed a draft', { draft: draftRecord }),
  clientEvent('drafts remove', 'You deleted a draft', { draft_id: z.int() }),
  clientEvent('scheduled_messages add', 'You scheduled messages', {
    scheduled_messages: z.array(scheduledMessageRecord),
  }),
  clientEvent('scheduled_messages update', 'Your scheduled message changed', {
    scheduled_message: scheduledMessageRecord,
  }),
  clientEvent('scheduled_messages remove', 'Your scheduled message was sent or deleted', {
    scheduled_message_id: z.int(),
  }),
]
