import { publisherOf } from '@tms/service-kit'

/** Publishes an event of this service. */
export const publish = publisherOf('realm')
