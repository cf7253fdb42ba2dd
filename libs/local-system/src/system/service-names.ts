export const serviceNames = ['users', 'realm', 'messaging', 'events', 'gateway'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Services with a database of their own, which have migrations to run. */
export const databaseServices = ['users', 'realm', 'messaging'] as const
export type DatabaseService = (typeof databaseServices)[number]

/** Services that use Redis. */
export const redisServices: readonly ServiceName[] = ['gateway', 'events', 'messaging', 'users', 'realm']

/** Services that store files. */
export const fileServices: readonly ServiceName[] = ['messaging', 'realm', 'users']

/** Services that find organizations by the host that clients address, or write absolute URLs. */
export const addressedServices: readonly ServiceName[] = ['gateway', 'users', 'realm', 'messaging']

export function hasDatabase(service: ServiceName): service is DatabaseService {
  return (databaseServices as readonly ServiceName[]).includes(service)
}
