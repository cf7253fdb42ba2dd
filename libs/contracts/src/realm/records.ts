import { z } from 'zod'

/** What other services keep of an organization; `version` as in `userFacts`. */
export const realmFacts = z.object({
  realm_id: z.int(),
  /** Subdomain; empty for the installation's default organization. */
  string_id: z.string(),
  name: z.string(),
  url: z.string(),
  is_active: z.boolean(),
  mandatory_topics: z.boolean(),
  waiting_period_threshold: z.int(),
  create_public_stream_policy: z.int(),
  create_private_stream_policy: z.int(),
  create_web_public_stream_policy: z.int(),
  invite_to_stream_policy: z.int(),
  wildcard_mention_policy: z.int(),
  /** 1: direct messages are on; 2: off. */
  private_message_policy: z.int(),
  version: z.int(),
})
export type RealmFacts = z.output<typeof realmFacts>
