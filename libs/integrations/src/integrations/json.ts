import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { block } from '../shared/markdown.ts'

export const json = defineIntegration({
  name: 'json',
  displayName: 'JSON',
  description: 'Any JSON object, shown as it is.',
  setup: 'Let the sender post JSON to `{url}`.',
  payload: z.record(z.string(), z.unknown()),
  format: ({ payload }) => message(null, 'JSON', block(JSON.stringify(payload, null, 2), 'json')),
})
