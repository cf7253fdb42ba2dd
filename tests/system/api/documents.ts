import { describe, expect, test } from '@jest/globals'
import { allDomainEvents } from '@tms/contracts'
import type { TestSystem } from '@tms/test-kit'
import type { DocumentedAnswers } from '../support/documented-answers.ts'
import { readLog } from '../support/read-log.ts'

/** Comes last: it judges what all other tests have seen. */
export const documentTests = (system: () => TestSystem, answers: DocumentedAnswers): void => {
  describe('after all that was asked and told', () => {
    test('every answer was as the OpenAPI document says, and every operation gave one and refused one', () => {
      expect(answers.faults).toEqual([])
      expect(answers.unseen()).toEqual({ answers: [], refusals: [] })
    })

    test('every domain event was as the AsyncAPI document says, and every one of them was told', async () => {
      const payloads = new Map(allDomainEvents.map(({ name, payload }) => [name, payload]))
      const entries = await readLog(system().servers.rabbitmq.url)
      const faults = entries.flatMap(({ event, payload }) => {
        const issues = payloads.get(event)?.safeParse(payload).error?.issues ?? []
        return issues.slice(0, 1).map((issue) => `${event}: ${JSON.stringify(issue)}`)
      })
      expect(faults.slice(0, 10)).toEqual([])
      const told = new Set(entries.map(({ event }) => event))
      expect([...payloads.keys()].filter((name) => !told.has(name))).toEqual([])
    })
  })
}
