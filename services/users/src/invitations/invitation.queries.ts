import type { Queryable } from '@tms/service-kit'
import type { Invitation } from '../generated/prisma/client.ts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'
import { locks } from '../kernel/locks.ts'

const columns = {
  id: true,
  realmId: true,
  email: true,
  creatorId: true,
  invitedAs: true,
  channelIds: true,
  groupIds: true,
  withDefaultChannels: true,
  notifyCreator: true,
  invitedAt: true,
  expiresAt: true,
} as const
export type OpenInvitation = Pick<Invitation, keyof typeof columns>

/** Fields of an invitation that don't depend on the recipient. */
export type InvitationTerms = Pick<
  Invitation,
  | 'realmId'
  | 'creatorId'
  | 'invitedAs'
  | 'channelIds'
  | 'groupIds'
  | 'withDefaultChannels'
  | 'invitedAt'
  | 'expiresAt'
>

/** Condition of invitations and links that haven't expired. */
export function isOpen(now: Date): { OR: { expiresAt: null | { gt: Date } }[] } {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
}

/** Inserts an invitation per address in one statement: row by row, a thousand take seconds. */
export async function insertInvitations(
  tx: Queryable,
  emails: readonly string[],
  terms: InvitationTerms & Pick<Invitation, 'notifyCreator'>,
): Promise<Pick<OpenInvitation, 'id' | 'email' | 'expiresAt'>[]> {
  const { rows } = await tx.query<{ id: number; email: string }>(
    `insert into invitations (
            email, realm_id, creator_id, invited_as, channel_ids, group_ids, with_default_channels, notify_creator,
            invited_at, expires_at)
     select email, $2::int, $3::int, $4::smallint, $5::int[], $6::int[], $7::boolean, $8::boolean, $9::timestamptz,
            $10::timestamptz
       from unnest($1::text[]) with ordinality as invited (email, ordinal)
      order by ordinal
     returning id, email`,
    [
      emails,
      terms.realmId,
      terms.creatorId,
      terms.invitedAs,
      terms.channelIds,
      terms.groupIds,
      terms.withDefaultChannels,
      terms.notifyCreator,
      terms.invitedAt.toISOString(),
      terms.expiresAt?.toISOString() ?? null,
    ],
  )
  return rows.map((row) => ({ ...row, expiresAt: terms.expiresAt }))
}

/** Adds a key to each invitation. */
export async function insertInvitationKeys(
  tx: Queryable,
  keys: readonly { readonly invitationId: number; readonly keyHash: Uint8Array }[],
): Promise<void> {
  await tx.query(
    `insert into invitation_keys (key_hash, invitation_id)
     select decode(hash, 'hex'), id
       from unnest($1::text[], $2::int[]) as made (hash, id)
     returning invitation_id`,
    [
      keys.map(({ keyHash }) => Buffer.from(keyHash).toString('hex')),
      keys.map(({ invitationId }) => invitationId),
    ],
  )
}

/** Voids all keys of an invitation. */
export async function deleteInvitationKeys(tx: PrismaTx, invitationId: number): Promise<void> {
  await tx.invitationKey.deleteMany({ where: { invitationId } })
}

/** Open invitations of an organization, oldest first; of all creators if `creatorId` is null. */
export function listOpenInvitations(
  db: PrismaDb,
  realmId: number,
  creatorId: number | null,
  now: Date,
): Promise<OpenInvitation[]> {
  return db.invitation.findMany({
    where: { realmId, ...(creatorId !== null && { creatorId }), ...isOpen(now) },
    orderBy: { id: 'asc' },
    select: columns,
  })
}

export async function findInvitationByKey(
  db: PrismaDb,
  realmId: number,
  keyHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<OpenInvitation | null> {
  const key = await db.invitationKey.findUnique({ where: { keyHash } })
  if (!key) return null
  return db.invitation.findFirst({
    where: { id: key.invitationId, realmId, ...isOpen(now) },
    select: columns,
  })
}

/** The newest open invitation to a folded address. */
export function findInvitationByAddress(
  db: PrismaDb,
  realmId: number,
  foldedEmail: string,
  now: Date,
): Promise<OpenInvitation | null> {
  return db.invitation.findFirst({
    where: { realmId, emailLower: foldedEmail, ...isOpen(now) },
    orderBy: { id: 'desc' },
    select: columns,
  })
}

/** Locks the open invitation until the transaction ends; of any organization if `realmId` is null. */
export async function lockInvitation(
  tx: PrismaTx,
  { id, realmId }: { readonly id: number; readonly realmId: number | null },
  now: Date,
): Promise<OpenInvitation | null> {
  tx.lockRecord.add(locks.invitations)
  await tx.$queryRaw`select id from invitations where id = ${id} for update`
  return tx.invitation.findFirst({
    where: { id, ...(realmId !== null && { realmId }), ...isOpen(now) },
    select: columns,
  })
}

export async function setInvitedAt(tx: PrismaTx, id: number, invitedAt: Date): Promise<void> {
  await tx.invitation.update({ where: { id }, data: { invitedAt }, select: { id: true } })
}
