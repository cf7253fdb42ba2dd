import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isTooOld } from './compatibility.rules.ts'

/** Existing clients look for this text. */
const TOO_OLD = 'Client is too old'

/** Throws BAD_REQUEST for a client that is too old, or that sends no User-Agent. */
export const handleCheckCompatibility: Handler<typeof endpoints.realm.checkCompatibility, Context> = async ({
  userAgent,
}) => {
  if (userAgent === undefined) throw badRequest('The header `User-Agent`, which names the client, is missing')
  if (isTooOld(userAgent)) throw badRequest(TOO_OLD)
  return {}
}
