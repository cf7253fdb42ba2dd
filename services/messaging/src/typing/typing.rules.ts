import type { UserProjection } from '@tms/contracts'

/** Those of an audience who are to hear of typing: they are here, and want to. */
export function hearersOf(
  audience: readonly Pick<UserProjection, 'user_id' | 'is_active' | 'settings'>[],
): number[] {
  return audience
    .filter(({ is_active, settings }) => is_active && settings.receives_typing_notifications)
    .map(({ user_id }) => user_id)
}
