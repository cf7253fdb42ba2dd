-- Up Migration

-- API tokens beside the API key of an account. Created and deleted under the lock of the account.
create table api_tokens (
  id integer generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  name text not null,
  -- SHA-256 of the token, so that nobody learns a token from the table.
  token_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  -- Null means never.
  expires_at timestamptz(3),
  -- Written at most once an hour.
  last_used_at timestamptz(3)
);
create index api_tokens_account on api_tokens (account_id);
create index api_tokens_expiry on api_tokens (expires_at) where expires_at is not null;

-- Gateways cache the callers that tokens identify.
create function note_ended_api_token() returns trigger language plpgsql as $$
begin
  if notes_recent_changes() then
    insert into recent_changes (kind, subject_id) values ('identity', old.account_id);
  end if;
  return null;
end $$;
create trigger api_token_ended after delete on api_tokens
  for each row execute function note_ended_api_token();

-- Down Migration

drop table api_tokens;
drop function note_ended_api_token;
