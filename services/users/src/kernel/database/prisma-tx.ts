import type { Tx } from '@tms/service-kit'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'

/** The transaction type of all writes. */
export type PrismaTx = Prisma.TransactionClient & Tx

/** For reads, in a transaction or outside one. */
export type PrismaDb = PrismaClient | PrismaTx
