// Depends on no other library of ours, so that programs that only start a system, as the image of the first
// organization does, need nothing of what services need. Therefore it has its own `splitUrls`, internal token and
// `Tls`, which the service kit has too.

export {
  createFirstOrganization,
  createOrganization,
  type Owner,
} from './first-organization/create-organization.ts'
export { type ChannelsOptions, createDefaultChannels } from './first-organization/default-channels.ts'
export { describeSignIn } from './first-organization/describe-sign-in.ts'
export { createInternalToken } from './first-organization/internal-token.ts'
export { RefusedError, UnansweredError } from './first-organization/request-service.ts'
export { endLeftovers } from './process/end-leftovers.ts'
export { pickFreePort } from './process/free-port.ts'
export type { ExitStatus } from './process/managed-process.ts'
export { canInstallPackages, installPackages } from './servers/debian-packages.ts'
export { explainMissingImage } from './servers/explain-missing-image.ts'
export { findInPath } from './servers/find-binary.ts'
export { type LaunchedServers, launchServers } from './servers/launch-servers.ts'
export { canStartClusters, provideServers } from './servers/provide-servers.ts'
export type {
  ProvideOptions,
  Server,
  ServerName,
  ServerNode,
  ServerSource,
  Servers,
  Topology,
} from './servers/server.ts'
export { serverTitles } from './servers/server.ts'
export { type Tls, tlsOf } from './servers/tls-files.ts'
export { untilServerAnswers } from './servers/until-server-answers.ts'
export { invitePeople } from './sign-on-examples/invite-people.ts'
export { examplePeople } from './sign-on-examples/people.ts'
export { prepareExamples, type SignOnExamples, startExamples } from './sign-on-examples/start-examples.ts'
export { findInstance, type Instance } from './start-local/instance-file.ts'
export { type StartLocalOptions, startLocal } from './start-local/start-local.ts'
export { type TourStep, tourSteps } from './start-local/tour.ts'
export { createDatabases, databaseUrls, dropDatabases } from './system/databases.ts'
export { type Keys, loadKeys } from './system/keys.ts'
export { createReplica, type Replica } from './system/replica.ts'
export { runMigrations } from './system/run-migrations.ts'
export type { ServiceName } from './system/service-names.ts'
export { type System, type SystemOptions, startSystem } from './system/start-system.ts'
