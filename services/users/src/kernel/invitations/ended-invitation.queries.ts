import type { Tx } from '@tms/service-kit'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'

/** Deletes invitations in the order of their IDs; returns their creators. */
export async function deleteInvitations(
  tx: Tx,
  which: { readonly ids: readonly number[] } | { readonly creatorId: number } | Address,
): Promise<{ id: number; creatorId: number }[]> {
  tx.lockRecord.add(locks.invitations)
  const [condition, values] = conditionOf(which)
  const { rows } = await tx.query<{ id: number; creatorId: number }>(
    `with ended as materialized (
       select id
         from invitations
        where ${condition}
        order by id
          for update
     )
     delete from invitations
      where id in (select id from ended)
     returning id, creator_id as "creatorId"`,
    values,
  )
  return rows
}

interface Address {
  readonly realmId: number
  readonly foldedEmail: string
}

function conditionOf(which: Parameters<typeof deleteInvitations>[1]): [string, unknown[]] {
  if ('ids' in which) return ['id = any ($1::int[])', [which.ids]]
  if ('creatorId' in which) return ['creator_id = $1', [which.creatorId]]
  return ['email_lower = $1 and realm_id = $2', [which.foldedEmail, which.realmId]]
}

/** Deletes links with the confirmations that used them; returns the IDs of the links. */
export async function deleteLinks(
  tx: PrismaTx,
  which: { readonly id: number } | { readonly creatorId: number },
): Promise<number[]> {
  const links = await tx.invitationLink.findMany({
    where: which,
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  await tx.invitationLink.deleteMany({ where: which })
  return links.map(({ id }) => id)
}
