import { allDomainEvents, domainEvents } from '@tms/contracts'
import type { EmptySystem, TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import type { SeenAnswers } from '../support/api-tests.ts'
import { readLog } from '../support/read-log.ts'
import { switchedOff } from '../support/switched-off.ts'

const { events, messaging, users } = domainEvents
/** Told by messaging because of what happens to accounts. */
const OF_ACCOUNTS: readonly string[] = [
  messaging.channelVisibilityChanged.name,
  messaging.subscriberActivityChanged.name,
]

/** Told by users because of what happens to whole organizations. */
const OF_IMPORTS: readonly string[] = [users.organizationImported.name, users.importRemoved.name]

/** In which file's tests an event is to be told; together, the files meet all there is. */
function topicOf({ name, producer }: { readonly name: string; readonly producer: string }): Topic {
  if (OF_IMPORTS.includes(name)) return 'imports'
  // Which event-queues.test.ts plays: a system that has just been started was never another release.
  if (name === events.releaseChanged.name) return 'upgrades'
  if (producer === users.userCreated.producer || OF_ACCOUNTS.includes(name)) return 'accounts'
  return producer === messaging.messageSent.producer ? 'messages' : 'the rest'
}

type Topic = 'accounts' | 'imports' | 'messages' | 'the rest' | 'upgrades'

/** What a file's tests are to have met. */
interface Met {
  /** All of whose domain events were told. */
  readonly topic: Topic
  /** Whether every operation answered and refused. */
  readonly everyOperation: boolean
}

/** Comes last: it judges what all other tests of the file have seen. */
export const documentTests = (
  system: () => TestSystem,
  { documented, unfit }: SeenAnswers,
  { topic, everyOperation }: Met,
): void => {
  describe('after all that was asked and told', () => {
    test('every answer was as the OpenAPI document says', () => {
      expect(documented.faults).toEqual([])
    })

    test('the official mobile app could read every answer and event', () => {
      expect(unfit.unreadable).toEqual([])
    })

    test('no answer or event said that something had happened in the future', () => {
      expect(unfit.premature).toEqual([])
    })

    if (everyOperation)
      test('every operation gave an answer and refused one', () => {
        const { answers, refusals } = documented.unseen()
        expect(answers.filter((name) => !switchedOff.includes(name))).toEqual([])
        expect(refusals).toEqual([])
      })

    domainEventTests(system, topic)
  })
}

/** Comes last too: what the log has is as it was declared, and has all of what the file's tests are about. */
export const domainEventTests = (system: () => EmptySystem, topic: Topic): void => {
  test(`every domain event was as the AsyncAPI document says, and every one about ${topic} was told`, async () => {
    const payloads = new Map(allDomainEvents.map(({ name, payload }) => [name, payload]))
    const entries = await readLog(system())
    const faults = entries.flatMap(({ event, payload }) => {
      const issues = payloads.get(event)?.safeParse(payload).error?.issues ?? []
      return issues.slice(0, 1).map((issue) => `${event}: ${JSON.stringify(issue)}`)
    })
    expect(faults.slice(0, 10)).toEqual([])
    const told = new Set(entries.map(({ event }) => event))
    const expected = allDomainEvents.filter((event) => topicOf(event) === topic)
    expect(expected.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([])
  })
}
