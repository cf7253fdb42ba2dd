import type { Tx } from '@tms/service-kit'
import type { Prisma } from '../../generated/prisma/client.ts'

/** The one transaction type of this service. */
export type PrismaTx = Prisma.TransactionClient & Tx
