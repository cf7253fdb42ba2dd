import type { internal, Joining, UserProjection } from '@tms/contracts'
import { type InternalHandler, type Publish, type Tx, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { onboardUser } from './onboard-user.ts'
import { markOnboarded } from './onboarded.queries.ts'

/** Slightly shorter than the users service waits for the answer. */
const UNTIL_PUBLISHED_MS = 1_500

/**
 * Onboards a new user, who is in the projection, unless that has been done: users calls as the account is created, and
 * also publishes the event.
 */
export async function onboardOnce(
  tx: Tx,
  newUser: UserProjection,
  joined: Joining | undefined,
  options: { publish: Publish<'messaging'>; now: Date; requestId: string | null },
): Promise<void> {
  if (newUser.is_bot || !(await markOnboarded(tx, newUser.user_id))) return
  await onboardUser(tx, newUser, joined, options)
}

/** Subscribes and welcomes a new user before the request that created the account is answered. */
export const handleOnboardUser: InternalHandler<typeof internal.messaging.onboardUser, Context> = async (
  { projection, joined },
  { db, applyUser, publish, guestVisibility, now },
  requestId,
) => {
  await transact(db, async (tx) => {
    await applyUser(tx, projection)
    await onboardOnce(tx, projection, joined, { publish, now: now(), requestId })
  })
  await guestVisibility.waitUntilAllPublished(UNTIL_PUBLISHED_MS)
  return {}
}
