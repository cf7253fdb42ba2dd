import {
  type AnyEndpoint,
  allDomainEvents,
  allEndpoints,
  type InternalEndpoint,
  internal,
} from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { readmeLists } from './support/readme.ts'
import { read, services } from './support/repository.ts'

const positionOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`
const internalByOwner = internal as Readonly<Record<string, Readonly<Record<string, InternalEndpoint>>>>

describe.each(services)('services/%s/README.md', (service) => {
  test('lists exactly the endpoints, after **Serves** to clients', () => {
    const owned = allEndpoints.filter(({ owner }) => owner === service)
    expect(readmeLists(service).endpoints.sort()).toEqual(owned.map(positionOf).sort())
  })

  test('lists exactly the calls of other services, after **Serves** to services', () => {
    const owned = Object.values(internalByOwner[service] ?? {})
    expect(readmeLists(service).internalPaths.sort()).toEqual(owned.map(({ path }) => path).sort())
  })

  test('lists exactly the events that it publishes, after **Emits**', () => {
    const emitted = allDomainEvents.filter(({ producer }) => producer === service)
    expect(readmeLists(service).emits.sort()).toEqual(emitted.map(({ name }) => name).sort())
  })

  test('names only events that exist, after **Consumes**', () => {
    const names = new Set(allDomainEvents.map(({ name }) => name))
    expect(readmeLists(service).consumes.filter((name) => !names.has(name))).toEqual([])
  })
})

describe('clients/typescript/README.md', () => {
  test('shows the bot that is tested', () => {
    expect(read('clients/typescript/README.md')).toContain(read('examples/echo-bot/echo-bot.mjs'))
  })
})
