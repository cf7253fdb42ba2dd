import { z } from 'zod'

/** A topic of a channel in which a user has missed messages, as the user sees it. */
export const digestTopic = z.object({
  channel_name: z.string(),
  topic: z.string(),
  /** The path of the topic in the web client. */
  path: z.string(),
  /** Names of those who wrote most of what was missed. */
  participants: z.array(z.string()),
  further_participants: z.int(),
  /** The first missed messages. */
  messages: z.array(
    z.object({
      sender_name: z.string(),
      /** Markdown with absolute links and without spoilers. */
      text: z.string(),
      /** HTML for mail programs: absolute links, and nothing hidden. */
      html: z.string(),
    }),
  ),
  /** Missed messages that are left out. */
  further_messages: z.int(),
})

/** What a user who was away for long has missed. */
export const digest = z.object({
  user_id: z.int(),
  topics: z.array(digestTopic),
  /** Channels that were created meanwhile and that the user may join. */
  channels: z.array(z.object({ name: z.string(), path: z.string() })),
  further_channels: z.int(),
})
export type Digest = z.output<typeof digest>
