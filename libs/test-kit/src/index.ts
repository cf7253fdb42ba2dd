export {
  type Account,
  type Answer,
  ApiClient,
  ApiError,
  type Exchange,
  type UploadedFile,
} from './api-client.ts'
export { type ClientEvent, EventQueue, registerQueue } from './event-queue.ts'
export { provideTestServers } from './test-servers.ts'
export { startTestSystem, type TestOrganization, type TestSystem } from './test-system.ts'
