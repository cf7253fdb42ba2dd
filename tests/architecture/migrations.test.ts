import { describe, expect, test } from 'vitest'
import { findUnsafe } from './support/migration-rules.ts'
import { listFiles, read, services } from './support/repository.ts'

const migrations = ['libs/service-kit', ...services.map((service) => `services/${service}`)].flatMap(
  (folder) => listFiles(`${folder}/migrations`),
)

describe('the rules for a migration beside the previous release', () => {
  test('accept every file', () => {
    expect(migrations).toContain('services/messaging/migrations/0001_messaging.sql')
    expect(
      migrations.flatMap((path) => findUnsafe(read(path)).map((problem) => `${path}: ${problem}`)),
    ).toEqual([])
  })

  test.each([
    'drop table drafts',
    'alter table drafts drop column topic',
    'alter table drafts drop topic',
    'alter table drafts rename column topic to subject',
    'alter table drafts rename to thoughts',
    'alter table drafts alter column topic type varchar',
    'alter table drafts alter topic set not null',
    'alter table drafts add column likes bigint not null',
    'alter table drafts add column a bigint, add column likes bigint not null',
    'alter table drafts add column length bigint generated always as (length(content)) stored',
    'alter table drafts add column key uuid not null default gen_random_uuid()',
    'alter table drafts add constraint short check (length(content) < 10)',
    'alter table drafts add column author bigint references users',
    'create index drafts_by_topic on drafts (topic)',
    'create unique index on drafts (topic)',
    "update drafts set topic = ''",
    'delete from drafts where topic is null',
    'create index concurrently drafts_by_topic on drafts (topic)',
    '-- Without a transaction: of an index\ncreate index concurrently a on drafts (a); create index concurrently b on drafts (b)',
    '-- It is said what it does, not why it may.\ndrop function has_link(text)',
  ])('reject %s', (statement) => {
    expect(findUnsafe(`-- Up Migration\n\n${statement};\n`)).toHaveLength(1)
  })

  test.each([
    'create table likes (id bigint primary key, of bigint not null references users);\ncreate index on likes (of)',
    "alter table drafts add column likes bigint not null default 0, add column what text default 'a; b'",
    'alter table drafts add constraint short check (length(content) < 10) not valid',
    'alter table drafts drop constraint short',
    'alter table drafts alter column topic drop not null',
    '-- Without a transaction: the table is large.\ncreate index concurrently if not exists drafts_by_topic on drafts (topic)',
    '-- Safe while the release before runs: it has not read this since 2.0.\nalter table drafts drop column topic',
    'create function drop_it() returns void language sql as $$ drop table drafts; $$',
    'create or replace function f() returns int language sql as $body$ update drafts set a = 1 returning 1 $body$',
  ])('accept %s', (statement) => {
    expect(findUnsafe(`-- Up Migration\n\n${statement};\n\n-- Down Migration\ndrop table likes;\n`)).toEqual(
      [],
    )
  })
})
