import { statSync } from 'node:fs'
import { FINISH_MS, FORCED_EXIT_MS } from '@tms/service-kit'
import { afterEach, describe, expect, test } from 'vitest'
import { createStandIn } from './support/compose-stand-in.ts'
import { read, services } from './support/repository.ts'

/** The maximum of DRAIN_SECONDS. */
const MAX_DRAIN_MS = 8_000

const twoOfEach = (version: string) =>
  services.flatMap((service) => Array<string>(2).fill(`tms-${service}:${version}`)).sort()

test('every way of stopping a service waits until it ends, long enough to finish its requests', () => {
  const stops = /^ {2}stop_grace_period: (\d+)s$/m.exec(read('deploy/compose.yaml'))?.[1]
  const upgrades = /^STOP_SECONDS=(\d+)$/m.exec(read('deploy/upgrade.sh'))?.[1]
  expect(FORCED_EXIT_MS).toBeGreaterThan(MAX_DRAIN_MS + FINISH_MS)
  expect(Number(stops) * 1000).toBeGreaterThan(FORCED_EXIT_MS)
  expect(upgrades).toBe(stops)
})

describe('deploy/upgrade.sh', () => {
  let system: ReturnType<typeof createStandIn>
  afterEach(() => system.remove())

  test('replaces every replica, consumers first, and writes the version to .env for the next `up`', () => {
    system = createStandIn("COMPOSE_PROJECT_NAME=tms\nTMS_VERSION='1'\nJWT_PRIVATE_KEY='a\\nb'")

    const { status } = system.upgrade('2.0')

    expect(status).toBe(0)
    expect(system.running()).toEqual(twoOfEach('2.0'))
    const replaced = ['events', 'messaging', 'users', 'realm', 'gateway'].flatMap((service) =>
      Array<string>(2).fill(`${service} tms-${service}:1`),
    )
    expect(system.done()).toEqual([
      'migrate-users:2.0',
      'migrate-realm:2.0',
      'migrate-messaging:2.0',
      ...replaced,
    ])
    expect(system.variables()).toBe("COMPOSE_PROJECT_NAME=tms\nTMS_VERSION=2.0\nJWT_PRIVATE_KEY='a\\nb'\n")
    expect(statSync(system.path('.env')).mode & 0o777).toBe(0o600)
  })

  test('reverts everything in the opposite order, including the version in .env', () => {
    system = createStandIn('COMPOSE_PROJECT_NAME=tms\n')
    system.upgrade('2.0')

    const { status, said } = system.upgrade('1', '--back')

    expect(status).toBe(0)
    expect(system.running()).toEqual(twoOfEach('1'))
    expect(system.done()[0]).toBe('gateway tms-gateway:2.0')
    expect(system.variables()).toBe('COMPOSE_PROJECT_NAME=tms\nTMS_VERSION=1\n')
    expect(said).toContain('.env has TMS_VERSION=1 from now on')
  })

  test('uses the version of .env when none is given, and does not change the file', () => {
    system = createStandIn('TMS_VERSION=3\n# Kept.\n')

    const { status } = system.upgrade(undefined)

    expect(status).toBe(0)
    expect(system.running()).toEqual(twoOfEach('3'))
    expect(system.variables()).toBe('TMS_VERSION=3\n# Kept.\n')
  })

  test('says which variables to set if there is no .env', () => {
    system = createStandIn(null)

    const { status, said } = system.upgrade('2.0')

    expect(status).toBe(0)
    expect(said).toContain('set TMS_VERSION=2.0 wherever `up` has its variables from')
    expect(system.variables()).toBeNull()
  })

  test('keeps the number of replicas if a new one does not become ready, and when it is run again', () => {
    system = createStandIn('TMS_VERSION=1\n')
    system.setUnready('tms-messaging:2.0')

    const { status, said } = system.upgrade('2.0')

    expect(status).toBe(1)
    expect(said).toContain('is not ready after 180 s and is removed')
    expect(said).toContain('The configuration is wrong')
    const events = (image: string) => image.replace('tms-events:1', 'tms-events:2.0')
    expect(system.running()).toEqual(twoOfEach('1').map(events))
    expect(system.variables()).toBe('TMS_VERSION=1\n')

    system.setUnready()
    expect(system.upgrade('2.0').status).toBe(0)
    expect(system.running()).toEqual(twoOfEach('2.0'))
    expect(system.variables()).toBe('TMS_VERSION=2.0\n')
  })

  test('finishes removing a replica when it is interrupted, and continues when it is run again', () => {
    system = createStandIn('TMS_VERSION=1\n')
    system.signalAtStop('INT')

    expect(system.upgrade('2.0').status).toBe(130)
    expect(system.running()).toEqual(twoOfEach('1').with(1, 'tms-events:2.0'))
    expect(system.variables()).toBe('TMS_VERSION=1\n')

    expect(system.upgrade('2.0').status).toBe(0)
    expect(system.running()).toEqual(twoOfEach('2.0'))
  })

  test('removes an old replica that it was stopping when it was killed', () => {
    system = createStandIn('TMS_VERSION=1\n')
    system.signalAtStop('KILL')
    expect(system.upgrade('2.0').status).toBeNull()

    expect(system.upgrade('2.0').status).toBe(0)
    expect(system.running()).toEqual(twoOfEach('2.0'))
  })

  test('removes a stopped replica instead of starting it as a new one', () => {
    system = createStandIn('TMS_VERSION=1\n')
    system.stop('events', 1)

    const { status, said } = system.upgrade('2.0')

    expect([status, said]).toEqual([
      0,
      expect.stringContaining('events: a replica that was stopped is removed'),
    ])
    expect(system.running()).toEqual(twoOfEach('2.0').slice(1))
  })

  test('changes nothing if no replica of a service runs', () => {
    system = createStandIn('TMS_VERSION=1\n')
    system.stop('messaging', 2)

    const { status, said } = system.upgrade('2.0')

    expect([status, said]).toEqual([
      1,
      expect.stringContaining('messaging: no replica runs; nothing is changed'),
    ])
    expect(system.done()).toEqual([''])
  })

  test('replaces every replica of the same version without migrations when settings changed', () => {
    system = createStandIn('TMS_VERSION=1\n')

    expect(system.upgrade(undefined).status).toBe(0)
    expect(system.done().filter((what) => !what.startsWith('migrate-'))).toEqual([])

    expect(system.upgrade(undefined, '--restart').status).toBe(0)
    expect(system.done()).toEqual(
      ['events', 'messaging', 'users', 'realm', 'gateway'].flatMap((service) =>
        Array<string>(2).fill(`${service} tms-${service}:1`),
      ),
    )
    expect(system.running()).toEqual(twoOfEach('1'))
  })
})
