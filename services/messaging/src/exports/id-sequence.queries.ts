import type { Tx } from '@tms/service-kit'
import type { Sequence } from './record-kind.ts'

/**
 * Assigns the transaction its ID, which it must have before it reserves message IDs: the search indexer relies on
 * every message up to an issued ID being stored by a transaction that had its ID by then.
 */
export async function assignTransactionId(tx: Tx): Promise<void> {
  await tx.query('select pg_current_xact_id()')
}

/** More IDs than are issued in the moment between reading a sequence and setting it. */
const SAFE_DISTANCE = 100_000

/**
 * Advances a sequence past an ID, so that it never issues it. Other transactions may take IDs meanwhile, so the
 * sequence is never set back: it is set if it is far behind, and counted up if it is near. A rollback doesn't undo it,
 * which leaves a gap.
 */
export async function reserveIds(tx: Tx, sequence: Sequence, id: number): Promise<void> {
  await tx.query({
    name: `reserve-ids-of-${sequence}`,
    text: `
      select case
               when issued.up_to + ${SAFE_DISTANCE} < $1 then setval('${sequence}', $1)
               else (select max(nextval('${sequence}')) from generate_series(issued.up_to + 1, $1))
             end
        from (select last_value - case when is_called then 0 else 1 end as up_to from ${sequence}) as issued`,
    values: [id],
  })
}
