import type { InvitationLink } from '../generated/prisma/client.ts'
import type { PrismaDb, PrismaTx } from '../kernel/database/prisma-tx.ts'
import { locks } from '../kernel/locks.ts'
import { type InvitationTerms, isOpen } from './invitation.queries.ts'

export async function insertLink(tx: PrismaTx, key: string, terms: InvitationTerms): Promise<number> {
  const { id } = await tx.invitationLink.create({ data: { ...terms, key }, select: { id: true } })
  return id
}

/** Open links of an organization, oldest first; of all creators if `creatorId` is null. */
export function listOpenLinks(
  db: PrismaDb,
  realmId: number,
  creatorId: number | null,
  now: Date,
): Promise<InvitationLink[]> {
  return db.invitationLink.findMany({
    where: { realmId, ...(creatorId !== null && { creatorId }), ...isOpen(now) },
    orderBy: { id: 'asc' },
  })
}

export function findLinkByKey(
  db: PrismaDb,
  realmId: number,
  key: string,
  now: Date,
): Promise<InvitationLink | null> {
  return db.invitationLink.findFirst({ where: { key, realmId, ...isOpen(now) } })
}

/** Also finds expired links: a user who confirmed an address in time may finish later. */
export function findLinkById(db: PrismaDb, id: number): Promise<InvitationLink | null> {
  return db.invitationLink.findUnique({ where: { id } })
}

/** Locks the open link until the transaction ends. */
export async function lockLink(
  tx: PrismaTx,
  realmId: number,
  id: number,
  now: Date,
): Promise<InvitationLink | null> {
  tx.lockRecord.add(locks.invitations)
  await tx.$queryRaw`select id from invitation_links where id = ${id} for update`
  return tx.invitationLink.findFirst({ where: { id, realmId, ...isOpen(now) } })
}
