-- Up Migration

-- Deleting a conversation looks for its members; so does the check of their foreign key.
-- Without a transaction: large installations have millions of rows.
create index concurrently if not exists conversation_members_of_recipient on conversation_members (recipient_id);

-- Down Migration

drop index concurrently if exists conversation_members_of_recipient;
