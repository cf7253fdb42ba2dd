import { subdomainOf } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findRealmByStringId, type Realm } from './realm.queries.ts'

/** The organization at the host that a client addressed; null if there is none. */
export function findRealmByHost(
  { prisma, externalHost }: Pick<Context, 'prisma' | 'externalHost'>,
  host: string,
): Promise<Realm | null> {
  return findRealmByStringId(prisma, subdomainOf(host, externalHost))
}
