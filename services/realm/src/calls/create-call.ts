import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'

/** Throws BAD_REQUEST: Zoom is not set up in any installation. */
export const handleCreateZoomCall: Handler<typeof endpoints.realm.createZoomCall, Context> = () => {
  throw badRequest('Zoom credentials have not been configured')
}

/** Throws BAD_REQUEST: BigBlueButton is not set up in any installation. */
export const handleCreateBigBlueButtonCall: Handler<
  typeof endpoints.realm.createBigBlueButtonCall,
  Context
> = () => {
  throw badRequest('BigBlueButton is not configured.')
}
