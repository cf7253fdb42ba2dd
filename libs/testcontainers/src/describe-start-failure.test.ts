import { describe, expect, test } from 'vitest'
import { describeStartFailure, type StartFailure } from './describe-start-failure.ts'

const failure: StartFailure = {
  image: 'team-messaging',
  fullName: 'team-messaging:latest',
  hasImage: true,
  otherTags: [],
  architecture: 'x86_64',
  reason: 'something',
  lastLines: [],
  dockerHost: undefined,
  namePrefix: undefined,
}
const describeFailure = (what: Partial<StartFailure>) => describeStartFailure({ ...failure, ...what })
const BUILD = 'docker build --target all-in-one --tag team-messaging .'

describe('without a container engine', () => {
  const reason = 'Could not find a working container runtime strategy'

  test('the error says how to get one and how to go on without it', () => {
    const message = describeFailure({ reason })
    expect(message).toMatch(/^No container engine answers\. Start Docker/)
    expect(message).toContain('`npm start`')
    expect(message).toContain(reason)
  })

  test('the error has the address that was tried', () => {
    expect(describeFailure({ reason, dockerHost: 'tcp://build:2375' })).toContain(
      'DOCKER_HOST=tcp://build:2375',
    )
  })
})

describe('an image that is missing and cannot be pulled', () => {
  test.each([
    ['dial tcp: lookup registry-1.docker.io: no such host', 'the engine does not reach its registry'],
    [
      'Get "https://registry.example.com/v2/": net/http: TLS handshake timeout',
      'does not reach its registry',
    ],
    ['toomanyrequests: You have reached your pull rate limit', 'its registry limits how often'],
    ['pull access denied for team-messaging, repository does not exist', 'has none by that name for you'],
    ['manifest for team-messaging:9.9 not found: manifest unknown', 'its registry has no such tag'],
    ['x509: certificate signed by unknown authority', "does not trust its registry's certificate"],
  ])('%s', (reason, why) => {
    const message = describeFailure({ hasImage: false, reason })
    expect(message).toContain("There is no image team-messaging, and it can't be pulled: ")
    expect(message).toContain(why)
    expect(message).toContain(BUILD)
    expect(message).toContain('TEAM_MESSAGING_IMAGE')
    expect(message).toContain(`(${reason})`)
  })

  test('is explained by a wrong tag if the engine has other tags', () => {
    const otherTags = ['team-messaging:1.0', 'team-messaging:local']
    expect(describeFailure({ hasImage: false, otherTags })).toContain(
      'name one that is there: team-messaging:1.0, team-messaging:local',
    )
  })

  test('is explained by the prefix that Testcontainers adds to each name', () => {
    const [namePrefix, fullName] = ['mirror.example.com/hub', 'mirror.example.com/hub/team-messaging:latest']
    const message = describeFailure({ hasImage: false, namePrefix, fullName })
    expect(message).toContain('TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX=mirror.example.com/hub')
    expect(message).toContain('`docker tag team-messaging mirror.example.com/hub/team-messaging:latest`')
  })
})

describe('an image for another processor', () => {
  test.each([
    ['of a registry', { hasImage: false, reason: 'no matching manifest for linux/arm64/v8' }],
    ['of this machine', { reason: 'Log stream ended', lastLines: ['exec /usr/bin/tini: exec format error'] }],
  ])('%s is explained with the processor of the engine', (_, what) => {
    const message = describeFailure({ ...what, architecture: 'aarch64' })
    expect(message).toContain("not for the processor of the engine's machine, which is aarch64")
    expect(message).toContain(BUILD)
    expect(message).toContain("withPlatform('linux/amd64')")
  })
})

test('a port in use is explained', () => {
  const reason = 'driver failed: Bind for 0.0.0.0:8080 failed: port is already allocated'
  expect(describeFailure({ reason })).toContain('a port of this machine that it was to have is taken')
})

test('a helper image of Testcontainers that cannot be pulled is explained with the variables that help', () => {
  const message = describeFailure({ reason: 'Get "https://registry-1.docker.io/v2/": no such host' })
  expect(message).toContain('RYUK_CONTAINER_IMAGE')
  expect(message).toContain('TESTCONTAINERS_RYUK_DISABLED=true')
  expect(message).not.toContain(BUILD)
})

test('any other failure has the last lines of the container', () => {
  const message = describeFailure({
    reason: 'Log stream ended',
    lastLines: ['EVENTS_PARTITIONS: expected number'],
  })
  expect(message).toBe(
    'team-messaging did not start: Log stream ended. Its last lines:\nEVENTS_PARTITIONS: expected number',
  )
})
