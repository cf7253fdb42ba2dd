-- Up Migration

-- Other services got organizations without `message_content_allowed_in_email_notifications` and
-- `disabled_authentication_methods`. A higher version has them fetched again.
-- Safe while the release before runs: it raises versions itself, and organizations are few.
update realms set version = version + 1;

-- Down Migration

-- Versions only grow.
