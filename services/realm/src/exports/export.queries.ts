import type { PrismaTx } from '../context.ts'
import type { PrismaClient, RealmExport } from '../generated/prisma/client.ts'

export type { RealmExport }

type Database = PrismaClient | PrismaTx

/** An export that a replica works on: only while no other has taken it on in between. */
export type Held = Pick<RealmExport, 'id' | 'attempt'>

export function insertExport(
  tx: PrismaTx,
  begun: Pick<RealmExport, 'realmId' | 'actingUserId' | 'scope' | 'createdAt'>,
): Promise<RealmExport> {
  return tx.realmExport.create({ data: begun })
}

/** All exports of an organization, in the order in which they were begun. */
export function listExports(db: Database, realmId: number): Promise<RealmExport[]> {
  return db.realmExport.findMany({ where: { realmId }, orderBy: { id: 'asc' } })
}

export function findExport(db: Database, id: number): Promise<RealmExport | null> {
  return db.realmExport.findUnique({ where: { id } })
}

export async function markDeleted(tx: PrismaTx, id: number, deletedAt: Date): Promise<void> {
  await tx.realmExport.update({ where: { id }, data: { deletedAt, file: null } })
}

/**
 * Takes on the oldest export that waits, or that whoever worked on it has left; null when there is none. Leases count by the
 * database's clock, since those of replicas differ.
 */
export async function takeExport(db: PrismaClient, leaseSeconds: number): Promise<RealmExport | null> {
  const taken = await db.$queryRaw<{ id: number }[]>`
    update realm_exports
       set leased_until = now() + make_interval(secs => ${leaseSeconds}::int),
           attempt = attempt + 1,
           done = 0,
           total = 0
     where id = (
             select id
               from realm_exports
              where finished_at is null
                and failed_at is null
                and (leased_until is null or leased_until < now())
              order by id
              limit 1
                for update skip locked
           )
 returning id`
  return taken[0] ? findExport(db, taken[0].id) : null
}

/** Says how far it is and that it goes on; false when another replica has taken it on. */
export async function renewLease(
  db: PrismaClient,
  { id, attempt }: Held,
  { done, total }: { done: number; total: number },
  leaseSeconds: number,
): Promise<boolean> {
  const renewed = await db.$executeRaw`
    update realm_exports
       set leased_until = now() + make_interval(secs => ${leaseSeconds}::int),
           done = ${done}::int,
           total = ${total}::int
     where id = ${id} and attempt = ${attempt} and finished_at is null`
  return renewed > 0
}

/** Leaves it to whoever takes it on next, after so many seconds. */
export async function releaseLease(db: PrismaClient, { id, attempt }: Held, seconds: number): Promise<void> {
  await db.$executeRaw`
    update realm_exports
       set leased_until = now() + make_interval(secs => ${seconds}::int)
     where id = ${id} and attempt = ${attempt}`
}

/** Ends it, unless another replica has taken it on, which is false. */
export async function endExport(
  tx: PrismaTx,
  { id, attempt }: Held,
  end: Partial<Pick<RealmExport, 'finishedAt' | 'failedAt' | 'file' | 'done' | 'total'>>,
): Promise<boolean> {
  const { count } = await tx.realmExport.updateMany({
    where: { id, attempt, finishedAt: null, failedAt: null },
    data: { ...end, leasedUntil: null },
  })
  return count > 0
}
