import type { PrismaTx } from '../context.ts'
import type {
  CodePlayground,
  CustomEmoji,
  EmailDomain,
  Linkifier,
  PrismaClient,
  ProfileField,
  Realm,
} from '../generated/prisma/client.ts'
import type { StoredSettings } from './stored-settings.ts'

export type { CodePlayground, CustomEmoji, EmailDomain, Linkifier, ProfileField, Realm }

/** An organization with all that it has: linkifiers and profile fields in their order, the others as they came. */
export interface Organization extends Realm {
  readonly linkifiers: readonly Linkifier[]
  readonly customEmoji: readonly CustomEmoji[]
  readonly profileFields: readonly ProfileField[]
  readonly playgrounds: readonly CodePlayground[]
  readonly emailDomains: readonly EmailDomain[]
}

/** What of the row itself may change. */
export type Columns = Partial<
  StoredSettings & Pick<Realm, 'iconFile' | 'logoFile' | 'nightLogoFile' | 'isActive'>
>

type Database = PrismaClient | PrismaTx

/** Read after the organization itself, so what it has is never older than its version. */
const everything = {
  linkifiers: { orderBy: { position: 'asc' } },
  customEmoji: { orderBy: { id: 'asc' } },
  profileFields: { orderBy: { position: 'asc' } },
  playgrounds: { orderBy: { id: 'asc' } },
  emailDomains: { orderBy: { id: 'asc' } },
} as const

const nothing = { linkifiers: [], customEmoji: [], profileFields: [], playgrounds: [], emailDomains: [] }

/**
 * Creates an organization with the defaults of its columns. Null when the `string_id` is taken, also by a
 * transaction that runs at the same time: the insert waits for its end.
 */
export async function createRealm(
  tx: PrismaTx,
  realm: { stringId: string; name: string; url: string },
): Promise<Organization | null> {
  const [created] = await tx.realm.createManyAndReturn({ data: [realm], skipDuplicates: true })
  return created ? { ...created, ...nothing } : null
}

export function findRealmByStringId(db: Database, stringId: string): Promise<Realm | null> {
  return db.realm.findUnique({ where: { stringId } })
}

export function findOrganization(db: Database, id: number): Promise<Organization | null> {
  return db.realm.findUnique({ where: { id }, include: everything })
}

/** The organization, locked until the transaction ends: whoever changes it, or what it has, locks it first. */
export async function lockOrganization(tx: PrismaTx, id: number): Promise<Organization | null> {
  await tx.$queryRaw`select from realms where id = ${id} for update`
  return findOrganization(tx, id)
}

/** The organization, which must be locked, as a new version with other columns, if any are given. */
export function saveOrganization(tx: PrismaTx, id: number, columns: Columns = {}): Promise<Organization> {
  const data = { ...columns, version: { increment: 1 } }
  return tx.realm.update({ where: { id }, data, include: everything })
}

/** The organizations that have one of the IDs or of the `string_id`s, in the order of their IDs; without both, all. */
export function listOrganizations(
  db: Database,
  { ids, stringIds }: { ids?: number[] | undefined; stringIds?: string[] | undefined },
): Promise<Organization[]> {
  const isAll = ids === undefined && stringIds === undefined
  return db.realm.findMany({
    where: isAll ? {} : { OR: [{ id: { in: ids ?? [] } }, { stringId: { in: stringIds ?? [] } }] },
    include: everything,
    orderBy: { id: 'asc' },
  })
}

/** Which transactions the running transaction sees, as PostgreSQL writes it. Must be its first statement. */
export async function readSnapshot(tx: PrismaTx): Promise<string> {
  const [row] = await tx.$queryRaw<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
  return row?.snapshot ?? ''
}
