-- Up Migration

-- Whether operators let this administrator change the e-mail addresses of others.
alter table accounts add column can_change_user_emails boolean not null default false;

-- Down Migration

alter table accounts drop column can_change_user_emails;
