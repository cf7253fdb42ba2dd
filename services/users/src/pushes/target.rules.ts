import type { ReachableDevice } from './delivery.queries.ts'

/** The service that a device is reached by: the host of a subscription, whose services are many. */
export const targetOf = ({ service, token }: Pick<ReachableDevice, 'service' | 'token'>): string =>
  service === 'web_push' ? new URL(token).origin : service.replace('sealed_', '')
