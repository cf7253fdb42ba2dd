-- Up Migration

-- What a message was before is bounded from here on, where it is written and where it is read; but to read the newest of
-- hundreds of megabytes takes seconds. So what takes up far more is cut once, as `withEdit` does: this is of the stored,
-- compressed size, which costs no look at the texts.
-- Safe while the release before runs: it reads and writes histories of any length, and what is locked meanwhile are the
-- few messages with such a one.
update messages
   set edit_history = (
         select jsonb_agg(edit order by place)
           from (select edit, place, sum(octet_length(edit::text)) over (order by place) as size
                   from jsonb_array_elements(edit_history) with ordinality as kept (edit, place)) sized
          where size <= 262144 or place = 1)
 where pg_column_size(edit_history) > 65536;

-- Down Migration
