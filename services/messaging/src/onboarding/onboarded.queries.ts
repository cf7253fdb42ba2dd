import type { Tx } from '@tms/service-kit'

/** Records that a new user was subscribed and welcomed; false if it was recorded before. */
export async function markOnboarded(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'mark-onboarded',
    text: 'update known_users set is_onboarded = true where user_id = $1 and not is_onboarded returning user_id',
    values: [userId],
  })
  return rows.length > 0
}
