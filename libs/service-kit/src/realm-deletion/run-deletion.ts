/** Deletes some of what a service has of an organization, and returns how much: 0 once nothing of it is left. */
export type DeletionStep<Context> = (context: Context, realmId: number) => Promise<number>

/** Longer makes a caller wait that may have to stop; shorter makes more calls. */
const RUN_MS = 3_000

/**
 * Deletes what a service has of an organization, step by step, for some seconds. Each step commits by itself, so a
 * process that dies loses nothing of it, and a repeated run goes on.
 */
export async function runDeletion<Context>(
  steps: readonly DeletionStep<Context>[],
  context: Context,
  realmId: number,
): Promise<{ deleted: number; is_done: boolean }> {
  const deadline = Date.now() + RUN_MS
  let deleted = 0
  for (const step of steps) {
    for (let count = await step(context, realmId); count > 0; count = await step(context, realmId)) {
      deleted += count
      if (Date.now() > deadline) return { deleted, is_done: false }
    }
  }
  return { deleted, is_done: true }
}
