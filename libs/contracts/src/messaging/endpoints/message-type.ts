import { z } from 'zod'

/** What kind of message is meant, where clients say it. */
export const messageType = z
  .enum(['direct', 'channel', 'stream', 'private'])
  .describe('`private` is a deprecated alias of `direct`, `stream` an alias of `channel`.')
