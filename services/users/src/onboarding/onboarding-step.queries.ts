import type { Queryable } from '@tms/service-kit'

/** Names of the notices that an account has read. */
export async function listSeenSteps(db: Queryable, accountId: number): Promise<string[]> {
  const { rows } = await db.query<{ seen: string[] }>({
    name: 'seen-onboarding-steps',
    text: 'select seen_onboarding_steps as seen from accounts where id = $1',
    values: [accountId],
  })
  return rows[0]?.seen ?? []
}

/** Lock the account first. */
export async function saveSeenSteps(
  tx: Queryable,
  accountId: number,
  seen: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'save-onboarding-steps',
    text: 'update accounts set seen_onboarding_steps = $2 where id = $1',
    values: [accountId, JSON.stringify(seen)],
  })
}
