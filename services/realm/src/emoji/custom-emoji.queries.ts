import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

export interface NewEmoji {
  readonly realmId: number
  readonly name: string
  readonly fileName: string
  readonly isAnimated: boolean
  readonly authorId: number
}

export async function insertEmoji(tx: PrismaTx, emoji: NewEmoji): Promise<void> {
  await tx.customEmoji.create({ data: emoji })
}

export async function deactivateEmoji(tx: PrismaTx, id: number): Promise<void> {
  await tx.customEmoji.update({ where: { id }, data: { isDeactivated: true } })
}
