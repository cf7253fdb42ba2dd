-- Up Migration

-- Texts that users keep to insert them into messages. Changed under the lock of the owner's account.
create table saved_snippets (
  id integer generated always as identity primary key,
  user_id integer not null references accounts on delete cascade,
  title text not null,
  content text not null,
  created_at timestamptz not null default now()
);
create index saved_snippets_of_user on saved_snippets (user_id);

-- Down Migration

drop table saved_snippets;
