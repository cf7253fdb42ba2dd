export { endLeftovers } from '@tms/local-system'
export {
  type Account,
  type Answer,
  ApiClient,
  ApiError,
  answerOf,
  type HttpExchange,
  type UploadedFile,
} from './api-client.ts'
export { type ClientEvent, EventQueue, registerQueue, stopPolling } from './event-queue.ts'
export { startTestDatabases, type TestDatabases } from './test-databases.ts'
export { canStartDirectory, startTestDirectory, type TestDirectory } from './test-directory.ts'
export { createTestFolder } from './test-folder.ts'
export { provideTestServers, startSharedServers } from './test-servers.ts'
export {
  type EmptySystem,
  startEmptySystem,
  startTestSystem,
  type TestOrganization,
  type TestSystem,
} from './test-system.ts'
