-- Up Migration

-- All changes of what an organization has lock its row, which keeps names unique within one.
create table profile_fields (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  type smallint not null,
  name text not null,
  hint text not null,
  -- JSON text as clients get it, empty for types that have none.
  field_data text not null,
  is_in_summary boolean not null,
  is_required boolean not null,
  position integer not null
);
create index profile_fields_realm_id_position_idx on profile_fields (realm_id, position);

-- Down Migration
drop table profile_fields;
