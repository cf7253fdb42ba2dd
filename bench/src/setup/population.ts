import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner, System } from '@tms/local-system'
import pg from 'pg'
import { expectSuccess, formCall, send } from '../load/http-call.ts'
import { type HistoryIds, insertHistory, senders } from './history.queries.ts'
import {
  analyze,
  type BulkAccount,
  findRealmId,
  insertAccounts,
  insertKnownUsers,
  insertOtherKnownUsers,
  insertSubscriptions,
} from './population.queries.ts'

/** Beyond the IDs of accounts that a run creates. */
const FIRST_OTHER_USER_ID = 10_000_000
const RETRY_MS = 100

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** The users and channels of the benchmark. */
export interface Population {
  readonly realmId: number
  /** Accounts that can sign in; all of them are in every channel that `createChannel` makes large enough. */
  readonly accounts: readonly BulkAccount[]
  /** Creates a channel with this number of subscribers, accounts first. Returns its ID. */
  createChannel(name: string, subscribers: number): Promise<number>
  /** Creates a channel with these accounts and the owner. Returns its ID. */
  createChannelOf(name: string, accounts: readonly BulkAccount[]): Promise<number>
  /** Creates accounts up to this number, and waits until messaging knows them; later channels include them. */
  grow(accounts: number): Promise<void>
  /** Creates a history with this number of messages for the first account, once. Returns its IDs. */
  history(messages: number): Promise<HistoryIds>
  /** Call it after bulk inserts. */
  analyze(): Promise<void>
  close(): Promise<void>
}

/** Fills the databases of a new system. */
export async function populate(
  system: System,
  owner: Owner,
  counts: { accounts: number; otherUsers: number },
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
  await insertOtherKnownUsers(messaging, realmId, FIRST_OTHER_USER_ID, counts.otherUsers)
  const everyone = [
    ...accounts.map(({ userId }) => userId),
    ...Array.from({ length: counts.otherUsers }, (_, i) => FIRST_OTHER_USER_ID + i),
  ]
  let history: Promise<HistoryIds> | null = null
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

  /** Services learn of accounts by the thousand: until they have, they serve nobody rather than what is old. */
  const untilFollowed = async () => {
    const path = '/api/v1/users/me/subscriptions'
    for (;;) {
      const answer = await send(agent, { port, method: 'GET', path, headers: { authorization } })
      if (answer.status !== 503) return void expectSuccess(answer)
      await sleep(RETRY_MS)
    }
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
      await untilFollowed()
    },
    history: (messages) => {
      history ??= insertOtherKnownUsers(messaging, realmId, senders.firstId, senders.count).then(() =>
        insertHistory(messaging, { realmId, memberId: accounts[0]?.userId ?? 0, messages }),
      )
      return history
    },
    analyze: async () => {
      await analyze(messaging)
      await analyze(users)
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
