import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { digest } from '../digests.ts'

/**
 * What each of these users of an organization has missed. Users without news are left out, and users who wrote
 * something a short while ago.
 */
export const describeDigests = internalEndpoint({
  name: 'describeDigests',
  owner: 'messaging',
  path: '/internal/digests',
  body: z.object({
    realm_id: z.int(),
    users: z.array(
      z.object({
        user_id: z.int(),
        /** UNIX seconds: what came before isn't news. */
        since: z.int(),
        /** UNIX seconds: users who wrote later than this aren't away. */
        away_since: z.int(),
      }),
    ),
  }),
  response: z.object({
    digests: z.array(digest),
    /** Users whose digests could not be described, and why. */
    failures: z.array(z.object({ user_id: z.int(), reason: z.string() })),
  }),
})
