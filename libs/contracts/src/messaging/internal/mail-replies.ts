import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'

const reply = z.object({
  realm_id: z.int(),
  user_id: z.int(),
  /** The reply goes to the conversation that this message is in now. */
  message_id: z.int(),
  /** The same for each delivery of one mail. */
  key: z.string(),
  /** Markdown. */
  content: z.string(),
})

/**
 * Whether a user may post a reply that came by mail. `posted`: it has been posted already. `refused`: not by another
 * attempt either; `reason` is the error's text. Errors: SERVICE_UNAVAILABLE.
 */
export const checkMailReply = internalEndpoint({
  name: 'checkMailReply',
  owner: 'messaging',
  path: '/internal/mail-reply-checks',
  body: reply,
  response: z.object({ state: z.enum(['open', 'posted', 'refused']), reason: z.string().nullable() }),
})

/** Posts a reply that came by mail as the user, once for each key, which is kept for 60 days. */
export const postMailReply = internalEndpoint({
  name: 'postMailReply',
  owner: 'messaging',
  path: '/internal/mail-replies',
  body: reply,
  response: z.object({ state: z.enum(['posted', 'refused']), reason: z.string().nullable() }),
})

/** Stores an attachment of such a reply as an upload of the user. Errors: BAD_REQUEST, REALM_UPLOAD_QUOTA, FILE_TOO_LARGE. */
export const uploadMailAttachment = internalEndpoint({
  name: 'uploadMailAttachment',
  owner: 'messaging',
  path: '/internal/mail-attachments',
  body: z.object({ realm_id: z.int(), user_id: z.int(), name: z.string(), content_type: z.string() }),
  response: z.object({ url: z.string(), filename: z.string() }),
  stream: 'up',
})
