-- Up Migration

-- What messaging has acted on of a user's role and activity: facts may be newer, since they also come by reading
-- through. Both change in the transaction that tells of what follows from them, so that what register returns and
-- what is told afterwards fit.
alter table known_users add column told_role smallint, add column told_active boolean;
update known_users
   set told_role = (facts ->> 'role')::smallint, told_active = (facts ->> 'is_active')::boolean;
alter table known_users alter column told_role set not null, alter column told_active set not null;
create index known_users_inactive on known_users (user_id) where not told_active;

-- Down Migration
drop index known_users_inactive;
alter table known_users drop column told_active, drop column told_role;
