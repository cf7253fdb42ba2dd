/**
 * Whether a write failed because another account has the address. P2002 is Prisma's code for a violated unique index.
 */
export function isAddressTakenError(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'P2002'
}
