import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { block } from '../shared/markdown.ts'

export const json = defineIntegration({
  name: 'json',
  displayName: 'JSON',
  description: 'Any JSON object, shown as it is.',
  setup: 'Let the sender post JSON to `{url}`.',
  payload: z.record(z.string(), z.unknown()),
  format: ({ payload }) => message(null, 'JSON', block(written(payload), 'json')),
})

/** Longer ones are cut by the send; indented, deep ones would be a hundred times as long. */
const MAX_LENGTH = 25_000

function written(payload: object): string {
  const text = JSON.stringify(payload)
  return text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : JSON.stringify(payload, null, 2)
}
