import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/** The fields of a code playground that administrators write. */
export interface PlaygroundText {
  readonly name: string
  readonly language: string
  readonly urlTemplate: string
}

/** Adds a playground and returns its ID. */
export async function insertPlayground(
  tx: PrismaTx,
  playground: PlaygroundText & { realmId: number },
): Promise<number> {
  const { id } = await tx.codePlayground.create({ data: playground })
  return id
}

export async function deletePlayground(tx: PrismaTx, id: number): Promise<void> {
  await tx.codePlayground.delete({ where: { id } })
}
