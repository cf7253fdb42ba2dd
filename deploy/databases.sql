-- A database for each service that has one; those that exist stay as they are.
select format('create database %I', name)
from unnest(array['tms_users', 'tms_realm', 'tms_messaging']) as wanted (name)
where not exists (select from pg_database where datname = wanted.name)
\gexec
