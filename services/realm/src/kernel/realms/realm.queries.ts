import { badRequest } from '@tms/contracts'
import type {
  CodePlayground,
  CustomEmoji,
  EmailDomain,
  Linkifier,
  Prisma,
  PrismaClient,
  ProfileField,
  Realm,
} from '../../generated/prisma/client.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'
import type { StoredSettings } from './stored-settings.ts'

export type { CodePlayground, CustomEmoji, EmailDomain, Linkifier, ProfileField, Realm }

/** An organization with all its parts: linkifiers and profile fields in their order, the others by ID. */
export interface Organization extends Realm {
  readonly linkifiers: readonly Linkifier[]
  readonly customEmoji: readonly CustomEmoji[]
  readonly profileFields: readonly ProfileField[]
  readonly playgrounds: readonly CodePlayground[]
  readonly emailDomains: readonly EmailDomain[]
}

/** Columns of the row that may change. */
export type Columns = Partial<
  StoredSettings &
    Pick<Realm, 'hiddenMemberIds' | 'iconFile' | 'logoFile' | 'nightLogoFile' | 'isActive' | 'stringId'> &
    Pick<Realm, 'isPushRefused' | 'pushEnd'>
>

type Database = PrismaClient | Prisma.TransactionClient

/** Organizations that are still being imported don't exist yet. */
const isVisible = { importBegunAt: null } as const

/**
 * Adds their parts to organizations: read after them, so that they are never older than the version, and one after
 * another, since a transaction's connection takes one query at a time.
 */
async function withParts(db: Database, realms: readonly Realm[]): Promise<Organization[]> {
  if (realms.length === 0) return []
  const where = { realmId: { in: realms.map(({ id }) => id) } }
  const linkifiers = await db.linkifier.findMany({ where, orderBy: { position: 'asc' } })
  const customEmoji = await db.customEmoji.findMany({ where, orderBy: { id: 'asc' } })
  const profileFields = await db.profileField.findMany({ where, orderBy: { position: 'asc' } })
  const playgrounds = await db.codePlayground.findMany({ where, orderBy: { id: 'asc' } })
  const emailDomains = await db.emailDomain.findMany({ where, orderBy: { id: 'asc' } })
  const of = {
    linkifiers: byRealm(linkifiers),
    emoji: byRealm(customEmoji),
    fields: byRealm(profileFields),
    playgrounds: byRealm(playgrounds),
    emailDomains: byRealm(emailDomains),
  }
  return realms.map((realm) => ({
    ...realm,
    linkifiers: of.linkifiers.get(realm.id) ?? [],
    customEmoji: of.emoji.get(realm.id) ?? [],
    profileFields: of.fields.get(realm.id) ?? [],
    playgrounds: of.playgrounds.get(realm.id) ?? [],
    emailDomains: of.emailDomains.get(realm.id) ?? [],
  }))
}

function byRealm<Part extends { readonly realmId: number }>(parts: readonly Part[]): Map<number, Part[]> {
  const lists = new Map<number, Part[]>()
  for (const part of parts) {
    const list = lists.get(part.realmId)
    if (list) list.push(part)
    else lists.set(part.realmId, [part])
  }
  return lists
}

const nothing = { linkifiers: [], customEmoji: [], profileFields: [], playgrounds: [], emailDomains: [] }

/**
 * Creates an organization with the defaults of its columns. Null if the `string_id` is taken, also by a concurrent
 * transaction: the insert waits for its end.
 */
export async function createRealm(
  tx: PrismaTx,
  realm: { stringId: string; name: string; url: string },
): Promise<Organization | null> {
  const [created] = await tx.realm.createManyAndReturn({ data: [realm], skipDuplicates: true })
  return created ? { ...created, ...nothing } : null
}

export function findRealmByStringId(db: Database, stringId: string): Promise<Realm | null> {
  return db.realm.findUnique({ where: { stringId, ...isVisible } })
}

export async function findOrganization(db: Database, id: number): Promise<Organization | null> {
  const realm = await db.realm.findUnique({ where: { id, ...isVisible } })
  const [organization] = await withParts(db, realm ? [realm] : [])
  return organization ?? null
}

/** Throws BAD_REQUEST for an unknown organization. */
export async function getOrganization(db: Database, id: number): Promise<Organization> {
  const organization = await findOrganization(db, id)
  if (!organization) throw badRequest('There is no such organization')
  return organization
}

/**
 * The organization, locked until the transaction ends: every change of it, or of its parts, locks it first. Throws
 * BAD_REQUEST for an unknown one.
 */
export async function lockOrganization(tx: PrismaTx, id: number): Promise<Organization> {
  tx.lockRecord.add(locks.organizations, [id])
  await tx.$queryRaw`select from realms where id = ${id} for update`
  return getOrganization(tx, id)
}

/** Saves new values of columns, if any are given, and a new version. The organization must be locked. */
export async function saveOrganization(
  tx: PrismaTx,
  id: number,
  columns: Columns = {},
): Promise<Organization> {
  const data = { ...columns, version: { increment: 1 } }
  const [saved] = await withParts(tx, [await tx.realm.update({ where: { id }, data })])
  if (!saved) throw new Error(`there is no organization ${id}`)
  return saved
}

/** The organizations with one of the IDs or `string_id`s, in the order of their IDs; all if neither is given. */
export async function listOrganizations(
  db: Database,
  { ids, stringIds }: { ids?: number[] | undefined; stringIds?: string[] | undefined },
): Promise<Organization[]> {
  const isAll = ids === undefined && stringIds === undefined
  const realms = await db.realm.findMany({
    where: {
      ...isVisible,
      ...(isAll ? {} : { OR: [{ id: { in: ids ?? [] } }, { stringId: { in: stringIds ?? [] } }] }),
    },
    orderBy: { id: 'asc' },
  })
  return withParts(db, realms)
}

/** Waits until the transactions that have locked one of these organizations have ended; what they changed is visible then. */
export async function awaitChanges(prisma: PrismaClient, ids: readonly number[]): Promise<void> {
  await prisma.$queryRaw`select from realms where id = any(${ids}::int[]) for share`
}

/** The snapshot of the running transaction, as PostgreSQL writes it. Must be its first statement. */
export async function readSnapshot(tx: Prisma.TransactionClient): Promise<string> {
  const [row] = await tx.$queryRaw<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
  return row?.snapshot ?? ''
}

/** The current snapshot, as PostgreSQL writes it, and whether the organization is active in it; null if there is none. */
export async function findPosition(
  prisma: PrismaClient,
  realmId: number,
): Promise<{ snapshot: string; isActive: boolean } | null> {
  const [row] = await prisma.$queryRaw<{ snapshot: string; isActive: boolean }[]>`
    select pg_current_snapshot()::text as snapshot, is_active as "isActive" from realms where id = ${realmId}`
  return row ?? null
}
