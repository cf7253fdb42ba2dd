-- Up Migration

-- All changes of what an organization has lock its row, which keeps these unique within one: playgrounds by language
-- and name, domains by themselves. Both are listed in the order in which they were added.
create table code_playgrounds (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  name text not null,
  language text not null,
  url_template text not null
);
create index code_playgrounds_realm_id_idx on code_playgrounds (realm_id);

create table email_domains (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  -- In lower case.
  domain text not null,
  allows_subdomains boolean not null
);
create index email_domains_realm_id_idx on email_domains (realm_id);

-- Files in the store, by name; null is what is drawn or shown in their place.
alter table realms
  add column icon_file text,
  add column logo_file text,
  add column night_logo_file text;

-- Facts of organizations have their domains from now on, and are kept where they are newer.
update realms set version = version + 1;

-- Down Migration
alter table realms
  drop column icon_file,
  drop column logo_file,
  drop column night_logo_file;
drop table email_domains;
drop table code_playgrounds;
