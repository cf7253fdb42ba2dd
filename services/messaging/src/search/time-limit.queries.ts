import { AppError } from '@tms/contracts'
import { isCancelled, type Pool, type Queryable, transact } from '@tms/service-kit'

/**
 * Runs `read` on one connection, where a statement may take so long, and none starts after that. Throws BAD_NARROW
 * with `refusal` if that is too little.
 */
export async function runWithTimeLimit<T>(
  pool: Pool,
  timeoutMs: number,
  refusal: string,
  read: (db: Queryable) => Promise<T>,
): Promise<T> {
  const tooSlow = () => new AppError('BAD_NARROW', { message: refusal, details: { desc: refusal } })
  try {
    return await transact(pool, async (tx) => {
      await tx.query(`set local statement_timeout = ${timeoutMs}`)
      const end = performance.now() + timeoutMs
      return read({
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
