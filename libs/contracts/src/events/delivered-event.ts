import { z } from 'zod'
import { clientEvents } from './client-events/all.ts'

/** An event in the answer to a poll: any of them. */
export const deliveredEvent = z.union(clientEvents.map(({ schema }) => schema)) as unknown as z.ZodType<{
  id: number
  type: string
}>
