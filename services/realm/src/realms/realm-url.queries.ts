import type { PrismaClient } from '../generated/prisma/client.ts'

/** Where an organization is, whatever becomes of it; null for none. */
export async function findRealmUrl(db: PrismaClient, id: number): Promise<string | null> {
  const found = await db.realm.findUnique({ where: { id }, select: { url: true } })
  return found?.url ?? null
}
