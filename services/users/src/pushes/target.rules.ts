import { targetOfAddress } from './browser-services.rules.ts'
import type { ReachableDevice } from './reachable-device.queries.ts'

/** The service that a device is reached by: the host of a subscription, whose services are many. */
export function targetOf({ service, token }: Pick<ReachableDevice, 'service' | 'token'>): string {
  if (service === 'web_push') return targetOfAddress(token)
  return service.startsWith('sealed_relay') ? 'relay' : service.replace('sealed_', '')
}
