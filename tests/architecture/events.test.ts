import { allDomainEvents, clientEvents, domainEvents } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { listFiles, read } from './support/repository.ts'

describe('domain events', () => {
  test.each(allDomainEvents.map(({ name, producer }) => [name, producer]))(
    '%s is named after its producer, with a version',
    (name, producer) => {
      expect(name).toMatch(new RegExp(`^${producer}\\.[a-z_]+\\.v[1-9]\\d*$`))
    },
  )

  test('are declared by their producer', () => {
    for (const [producer, declared] of Object.entries(domainEvents)) {
      for (const event of Object.values(declared)) expect(event.producer).toBe(producer)
    }
  })

  test('have unique names', () => {
    const names = allDomainEvents.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })
})

describe('the audit log', () => {
  test('has entries of every domain event, or the reason why there are none', () => {
    const reasons = allDomainEvents.flatMap(({ audit }) => ('none' in audit ? [audit.none] : []))
    expect(reasons.filter((reason) => !/^[A-Z].{15,}\.$/.test(reason))).toEqual([])
    const actions = allDomainEvents.flatMap(({ audit }) =>
      'none' in audit ? [] : [Object.entries(audit.actions)],
    )
    expect(actions.filter((declared) => declared.length === 0)).toEqual([])
    for (const [action, meaning] of actions.flat())
      expect([action, meaning]).toEqual([
        expect.stringMatching(/^[a-z]+(_[a-z]+)+$/),
        expect.stringMatching(/^[A-Z].{15,}[^.]$/),
      ])
  })

  test('gives an action one meaning', () => {
    const meanings = allDomainEvents.flatMap(({ audit }) =>
      'none' in audit ? [] : Object.entries(audit.actions),
    )
    const byAction = new Map(meanings)
    expect(meanings.filter(([action, meaning]) => byAction.get(action) !== meaning)).toEqual([])
  })
})

describe('client events', () => {
  const rendered = listFiles('services/events/src')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(read)
    // The files that write events, and those that say that nothing happened.
    .filter((text) => text.includes('= present(') || text.includes('"heartbeat"'))
    .flatMap((text) => [...text.matchAll(/\btype"?\s*[:=]\s*['"](\w+)['"]/gi)].map(([, type = '']) => type))
  const declared = clientEvents.map(({ type }) => type)

  test('are declared for every type that clients receive', () => {
    expect(rendered.length).toBeGreaterThan(0)
    expect(rendered.filter((type) => !declared.includes(type))).toEqual([])
  })

  test('are all delivered to clients if they are declared', () => {
    // The setting decides which.
    const clientTypes = [...rendered, 'update_display_settings', 'update_global_notifications']
    expect(declared.filter((type) => !clientTypes.includes(type))).toEqual([])
  })

  test('have unique names', () => {
    const names = clientEvents.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })
})
