import type { PrismaTx } from '../context.ts'
import type { PrismaClient, Realm } from '../generated/prisma/client.ts'
import type { StoredSettings } from './stored-settings.ts'

export type { Realm }

type Database = PrismaClient | PrismaTx

/**
 * Creates an organization with the defaults of its columns. Null when the `string_id` is taken, also by a
 * transaction that runs at the same time: the insert waits for its end.
 */
export async function createRealm(
  tx: PrismaTx,
  realm: { stringId: string; name: string; url: string },
): Promise<Realm | null> {
  const [created] = await tx.realm.createManyAndReturn({ data: [realm], skipDuplicates: true })
  return created ?? null
}

export function findRealmById(db: Database, id: number): Promise<Realm | null> {
  return db.realm.findUnique({ where: { id } })
}

export function findRealmByStringId(db: Database, stringId: string): Promise<Realm | null> {
  return db.realm.findUnique({ where: { stringId } })
}

/** The organization, locked until the transaction ends: whoever changes one locks it first. */
export async function lockRealm(tx: PrismaTx, id: number): Promise<Realm | null> {
  await tx.$queryRaw`select from realms where id = ${id} for update`
  return findRealmById(tx, id)
}

/** Stores all settings of an organization, which must be locked, as a new version. */
export function updateRealmSettings(tx: PrismaTx, id: number, settings: StoredSettings): Promise<Realm> {
  return tx.realm.update({ where: { id }, data: { ...settings, version: { increment: 1 } } })
}

/** The organizations that have one of the IDs or of the `string_id`s, in the order of their IDs; without both, all. */
export function listRealms(
  db: Database,
  { ids, stringIds }: { ids?: number[] | undefined; stringIds?: string[] | undefined },
): Promise<Realm[]> {
  const isAll = ids === undefined && stringIds === undefined
  return db.realm.findMany({
    where: isAll ? {} : { OR: [{ id: { in: ids ?? [] } }, { stringId: { in: stringIds ?? [] } }] },
    orderBy: { id: 'asc' },
  })
}

/** Which transactions the running transaction sees, as PostgreSQL writes it. Must be its first statement. */
export async function readSnapshot(tx: PrismaTx): Promise<string> {
  const [row] = await tx.$queryRaw<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
  return row?.snapshot ?? ''
}
