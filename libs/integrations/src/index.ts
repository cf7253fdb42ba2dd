export { findIntegration, integrations } from './integrations.ts'
export type { AnyIntegration, IntegrationMessage } from './kernel/integration.ts'
export { PayloadError, type PayloadFault } from './kernel/payload-error.ts'
export { type IncomingRequest, type Received, receive } from './receive.ts'
