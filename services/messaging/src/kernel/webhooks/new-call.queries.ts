import type { Tx } from '@tms/service-kit'

/** Adds a call of each of these bots, in the transaction that stores the message. */
export async function addWebhookCalls(
  tx: Tx,
  { realmId, messageId, botIds }: { realmId: number; messageId: number; botIds: readonly number[] },
): Promise<void> {
  await tx.query({
    name: 'add-webhook-calls',
    text: `
      insert into webhook_calls (realm_id, message_id, bot_id)
      select $1, $2, unnest($3::bigint[])`,
    values: [realmId, messageId, botIds],
  })
}
