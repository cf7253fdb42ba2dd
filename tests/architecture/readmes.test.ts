import { describe, expect, test } from 'vitest'
import { updateReadme } from '../../tools/readmes/update-readme.ts'
import { listFiles, read, services } from './support/repository.ts'

describe.each(services)('services/%s/README.md', (service) => {
  const readme = read(`services/${service}/README.md`)

  test('lists exactly what the service serves, calls, emits and consumes', () => {
    expect(readme).toBe(updateReadme(service, readme))
  })

  test('lists exactly the tables that the migrations create', () => {
    expect(tablesIn(readme).sort()).toEqual(tablesOf(service).sort())
  })
})

/** The tables in the README's table after **Owns**; rows that begin otherwise describe something else. */
function tablesIn(readme: string): string[] {
  const [, table = ''] = /\*\*Owns\*\*[^\n]*\n\n((?:\|[^\n]*\n)+)/.exec(readme) ?? []
  return [...table.matchAll(/^\| (`[^|]*?) *\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
}

function tablesOf(service: string): string[] {
  const migrations = listFiles(`services/${service}/migrations`).map(read)
  const up = migrations.map((text) => text.split('-- Down Migration')[0] ?? '').join('\n')
  const dropped = new Set(namesAfter('drop table(?: if exists)?', up))
  return namesAfter('create table(?: if not exists)?', up).filter((name) => !dropped.has(name))
}

const namesAfter = (words: string, sql: string): string[] =>
  [...sql.matchAll(new RegExp(`^${words} (\\w+)`, 'gim'))].map(([, name = '']) => name)

describe('clients/typescript/README.md', () => {
  test('shows the bot that is tested', () => {
    expect(read('clients/typescript/README.md')).toContain(read('examples/echo-bot/echo-bot.mjs'))
  })
})
