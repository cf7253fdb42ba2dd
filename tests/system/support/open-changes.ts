import { type ChannelRecord, domainEvents } from '@tms/contracts'
import type { createPool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

type Pool = ReturnType<typeof createPool>

/** A change of a channel's description in a transaction that stays open until `commit`. */
export interface OpenChange {
  /** Makes the change with its event, as messaging would; from now on the transaction has its ID. */
  begin(): Promise<void>
  commit(): Promise<void>
}

/** Prepares a change that a test makes step by step, on a separate connection. */
export async function prepareChange(
  { realmId }: Pick<TestSystem, 'realmId'>,
  db: Pool,
  { before, description }: { before: ChannelRecord; description: string },
): Promise<OpenChange> {
  const client = await db.connect()
  const channel = { ...before, description, rendered_description: `<p>${description}</p>` }
  return {
    begin: async () => {
      await client.query('begin')
      await client.query('update channels set description = $2, rendered_description = $3 where id = $1', [
        channel.stream_id,
        channel.description,
        channel.rendered_description,
      ])
      await client.query('insert into outbox (event, realm_id, payload) values ($1, $2, $3)', [
        domainEvents.messaging.channelUpdated.name,
        realmId,
        JSON.stringify({ before, channel, subscribers: [] }),
      ])
    },
    commit: async () => {
      await client.query('commit')
      client.release()
    },
  }
}
