import { LockRecord } from './lock-order.ts'
import type { Pool } from './pool.ts'
import type { Queryable, Tx } from './transaction.ts'

/** The part of a Prisma transaction's client that runs SQL. */
interface RawClient {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): Promise<T>
}

/** The part of the service's `ChangeAnnouncer` that a transaction needs. */
interface Announcer {
  checkChanges(tx: Queryable): Promise<boolean>
  announce(): Promise<void>
}

interface TransactOptions<Client extends RawClient> {
  readonly prisma: { $transaction<T>(work: (client: Client) => Promise<T>): Promise<T> }
  /** The pool that Prisma uses. */
  readonly db: Pool
  readonly announcer: Announcer
}

/** Runs `work` in one transaction, whose `tx` is Prisma's client and the kit's `Tx` on one connection. */
export type PrismaTransact<Client> = <T>(work: (tx: Client & Tx) => Promise<T>) => Promise<T>

/**
 * `transact` of a service that uses Prisma and announces its changes. It resolves once the transaction is committed,
 * its changes are announced, and the relay is woken if `work` published events.
 */
export function createPrismaTransact<Client extends RawClient>({
  prisma,
  db,
  announcer,
}: TransactOptions<Client>): PrismaTransact<Client> {
  return async (work) => {
    let hasPublished = false
    const { result, isChanged } = await prisma.$transaction(async (client) => {
      const lockRecord = new LockRecord(db.onLockViolation)
      const tx = withTx(client, { markPublished: () => (hasPublished = true), lockRecord })
      const result = await work(tx)
      return { result, isChanged: await announcer.checkChanges(tx) }
    })
    if (isChanged) await announcer.announce()
    if (hasPublished) db.markPublished?.()
    return result
  }
}

/**
 * A new object for each transaction, with properties that are defined, not assigned: Prisma passes assignments on to
 * the client that all transactions share, even from an object that inherits from its proxy.
 */
function withTx<Client extends RawClient>(
  client: Client,
  { markPublished, lockRecord }: Pick<Tx, 'markPublished' | 'lockRecord'>,
): Client & Tx {
  const query: Queryable['query'] = async <Row>(
    sql: string | { text: string; values?: unknown[] },
    values?: unknown[],
  ) => {
    const text = typeof sql === 'string' ? sql : sql.text
    const parameters = typeof sql === 'string' ? (values ?? []) : (sql.values ?? [])
    // Prisma's raw query also runs statements that return nothing.
    return { rows: await client.$queryRawUnsafe<Row[]>(text, ...parameters) }
  }
  return Object.create(client, {
    query: { value: query },
    markPublished: { value: markPublished },
    lockRecord: { value: lockRecord },
  }) as Client & Tx
}
