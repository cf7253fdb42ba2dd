import type { HttpExchange } from '@tms/test-kit'
import type { z } from 'zod'
import { futureTimes } from './future-times.ts'
import { answerFields, eventFields } from './mobile-fields.ts'

/** The maximum of reported faults: one is enough to investigate. */
const MAX_FAULTS = 20

interface DeliveredEvent {
  readonly type: string
  readonly op?: string
}

/** Checks responses and their events against expectations of existing clients, beyond the documents. */
export class IncompatibleAnswers {
  /** What the official mobile app could not parse. */
  readonly unreadable: string[] = []
  /** Times in the future. */
  readonly premature: string[] = []

  check({ method, path, answer }: HttpExchange): void {
    if (answer.status !== 200) return
    const call = `${method} ${path}`
    const faults = answerFields.flatMap(([pattern, fields]) =>
      pattern.test(call) ? faultsOf(fields, answer.body) : [],
    )
    const { events } = answer.body as { events?: DeliveredEvent[] }
    if (path === '/api/v1/events') faults.push(...(events ?? []).flatMap(faultsOfEvent))
    note(this.unreadable, call, faults)
    note(this.premature, call, futureTimes(answer.body, Date.now()))
  }
}

function faultsOfEvent(event: DeliveredEvent): string[] {
  const name = event.op === undefined ? event.type : `${event.type} ${event.op}`
  const fields = eventFields[name] ?? eventFields[event.type]
  return fields ? faultsOf(fields, event).map((fault) => `${name}: ${fault}`) : []
}

function faultsOf(fields: z.ZodType, value: unknown): string[] {
  const issues = fields.safeParse(value).error?.issues ?? []
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

function note(list: string[], call: string, faults: readonly string[]): void {
  for (const fault of faults) if (list.length < MAX_FAULTS) list.push(`${call}: ${fault}`)
}
