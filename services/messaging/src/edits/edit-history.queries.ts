import { limits } from '@tms/contracts'

/**
 * Of the edits as JSON text. Every edit of a text keeps the one before it, which may be a megabyte of HTML, and each is
 * read with the message: too large, and whoever edits often slows down everyone who fetches; too small, and what people
 * wrote before is gone after few edits of a long message.
 */
const MAX_HISTORY_BYTES = limits.maxEditHistoryKib * 1024

/**
 * SQL of the newest edits of `history`, a column of edits with the newest first: as many as fit, and the newest
 * however long it is, so that a text is never replaced without a trace. Null where there are none.
 */
export function newestEdits(history: string): string {
  return fitting(history, `size <= ${MAX_HISTORY_BYTES} or place = 1`)
}

/** SQL of `history` with an `edit` before all others, of which as many stay as fit. */
export function withEdit(edit: string, history: string): string {
  // In a query of its own it is measured once, not once for each older one.
  const older = fitting(history, `size + (select octet_length((${edit})::text)) <= ${MAX_HISTORY_BYTES}`)
  return `jsonb_build_array(${edit}) || coalesce(${older}, '[]')`
}

// Most messages were never edited: they pay for no look.
function fitting(history: string, condition: string): string {
  return `
    case when ${history} is not null then (
      select jsonb_agg(edit order by place)
        from (select edit, place, sum(octet_length(edit::text)) over (order by place) as size
                from jsonb_array_elements(${history}) with ordinality as kept (edit, place)) sized
       where ${condition}) end`
}
