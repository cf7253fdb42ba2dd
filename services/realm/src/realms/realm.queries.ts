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

/** One that is still being imported is none yet. */
const isThere = { importBegunAt: null } as const

/**
 * Organizations with what they have: read after them, so that it's never older than their version, and one after the
 * other, since a transaction's connection takes one question at a time.
 */
async function withEverything(db: Database, realms: readonly Realm[]): Promise<Organization[]> {
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
  return db.realm.findUnique({ where: { stringId, ...isThere } })
}

export async function findOrganization(db: Database, id: number): Promise<Organization | null> {
  const realm = await db.realm.findUnique({ where: { id, ...isThere } })
  const [organization] = await withEverything(db, realm ? [realm] : [])
  return organization ?? null
}

/** The organization, locked until the transaction ends: whoever changes it, or what it has, locks it first. */
export async function lockOrganization(tx: PrismaTx, id: number): Promise<Organization | null> {
  await tx.$queryRaw`select from realms where id = ${id} for update`
  return findOrganization(tx, id)
}

/** The organization, which must be locked, as a new version with other columns, if any are given. */
export async function saveOrganization(
  tx: PrismaTx,
  id: number,
  columns: Columns = {},
): Promise<Organization> {
  const data = { ...columns, version: { increment: 1 } }
  const [saved] = await withEverything(tx, [await tx.realm.update({ where: { id }, data })])
  if (!saved) throw new Error(`there is no organization ${id}`)
  return saved
}

/** The organizations that have one of the IDs or of the `string_id`s, in the order of their IDs; without both, all. */
export async function listOrganizations(
  db: Database,
  { ids, stringIds }: { ids?: number[] | undefined; stringIds?: string[] | undefined },
): Promise<Organization[]> {
  const isAll = ids === undefined && stringIds === undefined
  const realms = await db.realm.findMany({
    where: {
      ...isThere,
      ...(isAll ? {} : { OR: [{ id: { in: ids ?? [] } }, { stringId: { in: stringIds ?? [] } }] }),
    },
    orderBy: { id: 'asc' },
  })
  return withEverything(db, realms)
}

/** Which transactions the running transaction sees, as PostgreSQL writes it. Must be its first statement. */
export async function readSnapshot(tx: PrismaTx): Promise<string> {
  const [row] = await tx.$queryRaw<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
  return row?.snapshot ?? ''
}

/** Which transactions are visible now, as PostgreSQL writes it, and what of an organization they show; null for none. */
export async function findPosition(
  prisma: PrismaClient,
  realmId: number,
): Promise<{ snapshot: string; isActive: boolean } | null> {
  const [row] = await prisma.$queryRaw<{ snapshot: string; isActive: boolean }[]>`
    select pg_current_snapshot()::text as snapshot, is_active as "isActive" from realms where id = ${realmId}`
  return row ?? null
}
