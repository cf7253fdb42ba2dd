import { AppError } from '@tms/contracts'
import { inTransaction, isCancelled, type Pool, type Queryable } from '@tms/service-kit'

/**
 * Runs `look` on one connection, where a statement may take so long and none begins after that. Throws BAD_NARROW with
 * `refusal` where that is too little.
 */
export async function lookInTime<T>(
  pool: Pool,
  timeoutMs: number,
  refusal: string,
  look: (db: Queryable) => Promise<T>,
): Promise<T> {
  const tooSlow = () => new AppError('BAD_NARROW', { message: refusal, details: { desc: refusal } })
  try {
    return await inTransaction(pool, async (tx) => {
      await tx.query(`set local statement_timeout = ${timeoutMs}`)
      const end = performance.now() + timeoutMs
      return look({
        query: async (sql, values) => {
          if (performance.now() > end) throw tooSlow()
          return tx.query(sql, values)
        },
      })
    })
  } catch (err) {
    throw isCancelled(err) ? tooSlow() : err
  }
}
