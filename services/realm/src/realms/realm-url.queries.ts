import type { PrismaClient } from '../generated/prisma/client.ts'

/** The URL of an organization, even a deactivated one; null if there is none. */
export async function findRealmUrl(db: PrismaClient, id: number): Promise<string | null> {
  const found = await db.realm.findUnique({ where: { id }, select: { url: true } })
  return found?.url ?? null
}
