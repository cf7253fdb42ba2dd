import { z } from 'zod'
import { messageUpdated } from '../../messaging/events/editing.ts'
import {
  attachmentRecord,
  draftRecord,
  editedRecipient,
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

/** Events about messages and what belongs to them. */
export const messageEvents = [
  clientEvent('message', 'A message was sent', {
    message: messageRecord,
    flags,
    local_message_id: z
      .string()
      .optional()
      .describe("In the queue that the sender named: the sender's own ID of the message."),
  }),
  clientEvent('update_message', 'A message was edited, or messages were moved', {
    ...messageUpdated.payload.shape.update.shape,
    flags,
  }),
  clientEvent('delete_message', 'Messages were deleted, or moved to where you cannot read them', {
    message_ids: z
      .array(z.int())
      .optional()
      .describe('All of them, for clients with `bulk_message_deletion`; others receive one event each.'),
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
    all: z.boolean().describe('True for all messages; `messages` is empty then.'),
    /** Only if `read` is removed: where each message is, keyed by its ID. */
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
  clientEvent('reaction', 'A user added or removed a reaction to a message', {
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
  clientEvent('typing', 'A user started typing, is still typing, or stopped', {
    op: z.enum(['start', 'stop']),
    message_type: z.enum(['direct', 'stream']),
    sender: typist,
    recipients: z.array(typist).optional().describe('Members of a direct conversation.'),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  clientEvent('typing_edit_message', 'A user started editing a message, is still editing it, or stopped', {
    op: z.enum(['start', 'stop']),
    sender_id: z.int(),
    message_id: z.int(),
    recipient: editedRecipient,
  }),
  clientEvent('attachment add', 'You uploaded a file', { ...attachments, attachment: attachmentRecord }),
  clientEvent('attachment update', 'The messages that link your file changed', {
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
