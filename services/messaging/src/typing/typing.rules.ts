import type { UserProjection } from '@tms/contracts'

/** Lists the users of an audience who are active and receive typing notifications. */
export function listTypingRecipients(
  audience: readonly Pick<UserProjection, 'user_id' | 'is_active' | 'settings'>[],
): number[] {
  return audience
    .filter(({ is_active, settings }) => is_active && settings.receives_typing_notifications)
    .map(({ user_id }) => user_id)
}
