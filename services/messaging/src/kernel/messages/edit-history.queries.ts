import { limits } from '@tms/contracts'

/**
 * Maximum size of an edit history as JSON text. Each edit of a text stores the previous one, which may be a
 * megabyte of HTML, and all are read with the message. Too large, and a user who edits often slows down everyone
 * who fetches; too small, and earlier versions of a long message disappear after a few edits.
 */
const MAX_HISTORY_BYTES = limits.maxEditHistoryKib * 1024

/**
 * SQL: the newest edits of the column `history`, newest first: as many as fit, and at least one, so that no text
 * is replaced without a trace. Null if there are none.
 */
export function newestEditsSql(history: string): string {
  return selectFittingSql(history, `size <= ${MAX_HISTORY_BYTES} or position = 1`)
}

/** SQL: `history` with a new edit in front, and as many of the others as fit. */
export function withEditSql(edit: string, history: string): string {
  // In a subquery the new edit is measured once, not once for each older one.
  const older = selectFittingSql(
    history,
    `size + (select octet_length((${edit})::text)) <= ${MAX_HISTORY_BYTES}`,
  )
  return `jsonb_build_array(${edit}) || coalesce(${older}, '[]')`
}

// Most messages were never edited: the `case` spares them the subquery. Until feature level 284, edits had a version.
function selectFittingSql(history: string, condition: string): string {
  return `
    case when ${history} is not null then (
      select jsonb_agg(edit - 'prev_rendered_content_version' order by position)
        from (select edit, position, sum(octet_length(edit::text)) over (order by position) as size
                from jsonb_array_elements(${history}) with ordinality as entries (edit, position)) sized
       where ${condition}) end`
}
