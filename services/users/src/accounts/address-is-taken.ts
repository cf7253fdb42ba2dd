/** Whether writing an account failed because another has the address: Prisma's word for a unique index. */
export function isAddressTaken(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'P2002'
}
