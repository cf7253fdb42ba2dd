import { allDomainEvents, domainEvents } from '@tms/contracts'
import type { EmptySystem, TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import type { CheckedAnswers } from '../support/api-tests.ts'
import { readLog } from '../support/read-log.ts'
import { switchedOff } from '../support/switched-off.ts'

const { events, messaging, realm, users } = domainEvents
/** Published by messaging when accounts change. */
const OF_ACCOUNTS: readonly string[] = [
  messaging.channelVisibilityChanged.name,
  messaging.subscriberActivityChanged.name,
]

/** Published by users when whole organizations change. */
const OF_IMPORTS: readonly string[] = [users.organizationImported.name, users.usersRemoved.name]

/** Only the audit log has them. */
const OF_AUDIT_LOG: readonly string[] = [
  realm.auditLogExported.name,
  ...[users.signedIn, users.signInRefused, users.sessionsEnded, users.credentialReplaced].map(
    ({ name }) => name,
  ),
  ...[users.apiTokenChanged, users.provisioningTokenChanged].map(({ name }) => name),
  ...[users.pushDeviceAdded, users.pushDeviceRemoved].map(({ name }) => name),
]

/** Published where the installation has a key for registrations. */
const OF_ENCRYPTED_PUSH: readonly string[] = [
  users.clientDeviceAdded.name,
  users.clientDeviceUpdated.name,
  users.clientDeviceRemoved.name,
]

/** The test file in which an event has to be published; together, the files cover all events. */
function topicOf({ name, producer }: { readonly name: string; readonly producer: string }): Topic {
  if (OF_AUDIT_LOG.includes(name)) return 'the audit log'
  if (OF_IMPORTS.includes(name)) return 'imports'
  if (OF_ENCRYPTED_PUSH.includes(name)) return 'encrypted push'
  if (name === realm.realmDeleted.name) return 'deletions'
  // event-queues.test.ts covers it: a system that was just started never had another release.
  if (name === events.releaseChanged.name) return 'upgrades'
  if (producer === users.userCreated.producer || OF_ACCOUNTS.includes(name)) return 'accounts'
  return producer === messaging.messageSent.producer ? 'messages' : 'the rest'
}

type Topic =
  | 'accounts'
  | 'the audit log'
  | 'deletions'
  | 'encrypted push'
  | 'imports'
  | 'messages'
  | 'the rest'
  | 'upgrades'

/** What the tests of a file must cover. */
interface Met {
  /** All domain events of these must be published. */
  readonly topic: Topic
  /** Whether every operation succeeded and failed at least once. */
  readonly everyOperation: boolean
}

/** Comes last: it checks the responses of all other tests of the file. */
export const documentTests = (
  system: () => TestSystem,
  { documented, incompatible }: CheckedAnswers,
  { topic, everyOperation }: Met,
): void => {
  describe('after all requests and events of the suite', () => {
    test('every response matched the OpenAPI document', () => {
      expect(documented.faults).toEqual([])
    })

    test('the official mobile app could parse every response and event', () => {
      expect(incompatible.unreadable).toEqual([])
    })

    test('no response or event had a time in the future', () => {
      expect(incompatible.premature).toEqual([])
    })

    if (everyOperation)
      test('every operation succeeded and failed at least once', () => {
        const { answers, refusals } = documented.unseen()
        expect(answers.filter((name) => !switchedOff.includes(name))).toEqual([])
        expect(refusals).toEqual([])
      })

    domainEventTests(system, topic)
  })
}

/** Comes last too: the log matches the declarations, and has every event of the file's subject. */
export const domainEventTests = (system: () => EmptySystem, topic: Topic): void => {
  test(`every domain event matched the AsyncAPI document, and every one about ${topic} was published`, async () => {
    const payloads = new Map(allDomainEvents.map(({ name, payload }) => [name, payload]))
    const entries = await readLog(system())
    const faults = entries.flatMap(({ event, payload }) => {
      const issues = payloads.get(event)?.safeParse(payload).error?.issues ?? []
      return issues.slice(0, 1).map((issue) => `${event}: ${JSON.stringify(issue)}`)
    })
    expect(faults.slice(0, 10)).toEqual([])
    const publishedEvents = new Set(entries.map(({ event }) => event))
    const expected = allDomainEvents.filter((event) => topicOf(event) === topic)
    expect(expected.map(({ name }) => name).filter((name) => !publishedEvents.has(name))).toEqual([])
  })
}
