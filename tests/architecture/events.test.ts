import { describe, expect, test } from '@jest/globals'
import { allDomainEvents, domainEvents } from '@tms/contracts'

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

  test('no two share a name', () => {
    const names = allDomainEvents.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })
})
