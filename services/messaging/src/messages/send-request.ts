import type { endpoints } from '@tms/contracts'
import type { Request } from '@tms/service-kit'
import type { Context } from '../context.ts'

export type SendRequest = Request<typeof endpoints.messaging.sendMessage, Context>
