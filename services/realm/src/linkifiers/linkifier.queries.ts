import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/** The fields of a linkifier that administrators write. */
export interface LinkifierText {
  readonly pattern: string
  readonly urlTemplate: string
}

/** Adds a linkifier and returns its ID. */
export async function insertLinkifier(
  tx: PrismaTx,
  linkifier: LinkifierText & { realmId: number; position: number },
): Promise<number> {
  const { id } = await tx.linkifier.create({ data: linkifier })
  return id
}

export async function saveLinkifier(tx: PrismaTx, id: number, text: LinkifierText): Promise<void> {
  await tx.linkifier.update({ where: { id }, data: text })
}

export async function deleteLinkifier(tx: PrismaTx, id: number): Promise<void> {
  await tx.linkifier.delete({ where: { id } })
}

/** Puts linkifiers in the order of these IDs. */
export async function saveLinkifierOrder(tx: PrismaTx, ids: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    update linkifiers
       set position = wanted.position
      from unnest(${ids}::integer[]) with ordinality as wanted (id, position)
     where linkifiers.id = wanted.id`
}
