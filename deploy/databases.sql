-- Creates a database for each service that needs one, unless it exists.
select format('create database %I', name)
from unnest(array['tms_users', 'tms_realm', 'tms_messaging']) as required (name)
where not exists (select from pg_database where datname = required.name)
\gexec
