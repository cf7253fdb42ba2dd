import type { Tx } from '@tms/service-kit'
import type { Sequence } from './record-kind.ts'

/**
 * Gives the transaction its number, which it must have before it passes IDs: the search keeper takes it that every
 * message with an ID that has been passed is stored by a transaction that had its number by then.
 */
export async function beginPassingIds(tx: Tx): Promise<void> {
  await tx.query('select pg_current_xact_id()')
}

/** So many IDs are not given out in the moment between reading a sequence and setting it. */
const SAFE_DISTANCE = 100_000

/**
 * Sees to it that a sequence gives no ID up to this one any more. Others may take IDs meanwhile, so it is never set
 * back: it is set only where that is far ahead, and counted up where it is near. Not undone by a rollback, which leaves
 * a gap.
 */
export async function passIds(tx: Tx, sequence: Sequence, id: number): Promise<void> {
  await tx.query({
    name: `pass-ids-of-${sequence}`,
    text: `
      select case
               when issued.up_to + ${SAFE_DISTANCE} < $1 then setval('${sequence}', $1)
               else (select max(nextval('${sequence}')) from generate_series(issued.up_to + 1, $1))
             end
        from (select last_value - case when is_called then 0 else 1 end as up_to from ${sequence}) as issued`,
    values: [id],
  })
}
