import { z } from 'zod'

/** The kind of a message, as clients send it. */
export const messageType = z
  .enum(['direct', 'channel', 'stream', 'private'])
  .describe('`private` is a deprecated alias of `direct`, `stream` an alias of `channel`.')
