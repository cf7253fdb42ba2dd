import type { PrismaClient, RealmExport } from '../generated/prisma/client.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

export type { RealmExport }

type Database = PrismaClient | PrismaTx

/** The lease of an export: valid only while no other replica has claimed it since. */
export type ExportLease = Pick<RealmExport, 'id' | 'attempt'>

export function insertExport(
  tx: PrismaTx,
  data: Pick<RealmExport, 'realmId' | 'actingUserId' | 'scope' | 'createdAt'>,
): Promise<RealmExport> {
  return tx.realmExport.create({ data })
}

/** All exports of an organization, in the order of their creation. */
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
 * Claims the oldest export that waits or whose lease has expired; null if there is none. Leases use the database's
 * clock, since those of replicas differ.
 */
export async function claimExport(db: PrismaClient, leaseSeconds: number): Promise<RealmExport | null> {
  const claimed = await db.$queryRaw<{ id: number }[]>`
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
  return claimed[0] ? findExport(db, claimed[0].id) : null
}

/** Saves the progress and renews the lease; false if another replica has claimed the export. */
export async function renewLease(
  db: PrismaClient,
  { id, attempt }: ExportLease,
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

/** Leaves the export to the next replica that claims it, after so many seconds. */
export async function releaseLease(
  db: PrismaClient,
  { id, attempt }: ExportLease,
  seconds: number,
): Promise<void> {
  await db.$executeRaw`
    update realm_exports
       set leased_until = now() + make_interval(secs => ${seconds}::int)
     where id = ${id} and attempt = ${attempt}`
}

/** Ends the export; false if another replica has claimed it. */
export async function endExport(
  tx: PrismaTx,
  { id, attempt }: ExportLease,
  end: Partial<Pick<RealmExport, 'finishedAt' | 'failedAt' | 'file' | 'done' | 'total'>>,
): Promise<boolean> {
  const { count } = await tx.realmExport.updateMany({
    where: { id, attempt, finishedAt: null, failedAt: null },
    data: { ...end, leasedUntil: null },
  })
  return count > 0
}
