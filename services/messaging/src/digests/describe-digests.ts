import type { Digest, internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { type DigestContext, describeDigest } from './describe-digest.ts'

/** Digests described at once: reading takes connections that requests need. */
const MAX_CONCURRENT = 2

/** Describes what each user has missed; one that fails leaves the others as they are. */
export const handleDescribeDigests: InternalHandler<
  typeof internal.messaging.describeDigests,
  DigestContext
> = async ({ realm_id: realmId, users }, context) => {
  const digests: Digest[] = []
  const failures: { user_id: number; reason: string }[] = []
  const next = users.values()
  const work = async () => {
    for (const { user_id, since, away_since: awaySince } of next)
      try {
        const described = await describeDigest(context, { realmId, userId: user_id, since, awaySince })
        if (described !== null) digests.push(described)
      } catch (err) {
        failures.push({ user_id, reason: err instanceof Error ? err.message : String(err) })
      }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  return { digests, failures }
}
