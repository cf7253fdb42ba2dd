-- Up Migration

-- Addresses by which people answer mails about missed messages. They stand for their owners, so only hashes are stored.
create table reply_addresses (
  token_hash bytea primary key,
  account_id integer not null references accounts on delete cascade,
  -- The message whose conversation a reply goes to; null in mails by which an operator tries replies out.
  message_id bigint,
  expires_at timestamptz(3) not null
);
create index reply_addresses_of_account on reply_addresses (account_id);
create index reply_addresses_expiry on reply_addresses (expires_at);

-- Down Migration

drop table reply_addresses;
