import { Agent } from 'node:http'
import type { Owner, System } from '@tms/local-system'
import pg from 'pg'
import { expectSuccess, formCall, send } from '../load/http-call.ts'
import { type HistoryPlaces, insertHistory, senders } from './history.queries.ts'
import {
  type BulkAccount,
  findRealmId,
  insertAccounts,
  insertKnownStrangers,
  insertKnownUsers,
  insertSubscriptions,
  settle,
} from './population.queries.ts'

/** Beyond the IDs of accounts that a run creates. */
const FIRST_STRANGER_ID = 10_000_000

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** The people and channels that are measured with. */
export interface Population {
  readonly realmId: number
  /** Accounts that can sign in; all of them are in every channel that `createChannel` makes large enough. */
  readonly accounts: readonly BulkAccount[]
  /** Creates a channel with so many subscribers, accounts first. Returns its ID. */
  createChannel(name: string, subscribers: number): Promise<number>
  /** Creates a channel of these accounts, and of the owner. Returns its ID. */
  createChannelOf(name: string, accounts: readonly BulkAccount[]): Promise<number>
  /** Creates accounts until there are so many, who are in the channels that are made from then on. */
  grow(accounts: number): Promise<void>
  /** Makes a history of so many messages for the first account, once. Returns what is in it. */
  history(messages: number): Promise<HistoryPlaces>
  /** After bulk inserts. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Fills the databases of a new system. */
export async function populate(
  system: System,
  owner: Owner,
  counts: { accounts: number; strangers: number },
): Promise<Population> {
  const users = await open(system.databaseUrls.users)
  const messaging = await open(system.databaseUrls.messaging)
  const realmId = await findRealmId(users, owner.userId)
  let created = 0
  const createAccounts = async (count: number): Promise<BulkAccount[]> => {
    const accounts = await insertAccounts(users, realmId, { first: created + 1, count })
    await insertKnownUsers(messaging, realmId, accounts)
    created += count
    return accounts
  }
  const accounts = await createAccounts(counts.accounts)
  await insertKnownStrangers(messaging, realmId, FIRST_STRANGER_ID, counts.strangers)
  const everyone = [
    ...accounts.map(({ userId }) => userId),
    ...Array.from({ length: counts.strangers }, (_, i) => FIRST_STRANGER_ID + i),
  ]
  let history: Promise<HistoryPlaces> | null = null
  const agent = new Agent({ keepAlive: true })
  const port = portOf(system.baseUrl)
  const authorization = authorizationOf(owner)

  const createChannelOf = async (name: string, userIds: readonly number[]): Promise<number> => {
    const fields = { subscriptions: JSON.stringify([{ name }]) }
    expectSuccess(await send(agent, formCall(port, '/api/v1/users/me/subscriptions', authorization, fields)))
    const path = `/api/v1/get_stream_id?stream=${encodeURIComponent(name)}`
    const found = await send(agent, { port, method: 'GET', path, headers: { authorization } })
    const { stream_id } = JSON.parse(expectSuccess(found)) as { stream_id: number }
    await insertSubscriptions(messaging, stream_id, userIds)
    return stream_id
  }

  return {
    realmId,
    accounts,
    // The owner, who created it, is one of them.
    createChannel: (name, subscribers) => createChannelOf(name, everyone.slice(0, subscribers - 1)),
    createChannelOf: (name, members) =>
      createChannelOf(
        name,
        members.map(({ userId }) => userId),
      ),
    grow: async (total) => {
      for (const { userId } of await createAccounts(Math.max(0, total - created))) everyone.push(userId)
    },
    history: (messages) => {
      history ??= insertKnownStrangers(messaging, realmId, senders.firstId, senders.count).then(() =>
        insertHistory(messaging, { realmId, memberId: accounts[0]?.userId ?? 0, messages }),
      )
      return history
    },
    settle: async () => {
      await settle(messaging)
      await settle(users)
    },
    close: async () => {
      agent.destroy()
      await users.end()
      await messaging.end()
    },
  }
}

export const portOf = (url: string): number => Number(new URL(url).port)

export function authorizationOf({ email, apiKey }: { email: string; apiKey: string }): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

async function open(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
