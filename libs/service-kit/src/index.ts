// Written by `npm run gen` (tools/barrels.ts).

export { networkOf, plainAddress } from './addresses/client-network.ts'
export { isPrivateHost } from './addresses/private-addresses.ts'
export { createPublicLookup, publicLookup } from './addresses/public-lookup.ts'
export { postgresUrl, rabbitmqUrl, redisUrl } from './addresses/server-urls.ts'
export { splitUrls } from './addresses/split-urls.ts'
export { isWebAddress } from './addresses/web-address.ts'
export { type Broker, type Channel, type ConfirmChannel, connectBroker } from './broker/connection.ts'
export { createLogReader, type LogReader, type RawEntry, type StartAt } from './broker/log-reader.ts'
export {
  declareOrganizationStream,
  deleteOrganizationStream,
  organizationStreamOf,
  StreamExistsError,
  type StreamRetention,
} from './broker/organization-stream.ts'
export { createPublisher, type OutgoingMessage, type Publisher } from './broker/publisher.ts'
export { judgeSequence, type Verdict } from './broker/sequence.ts'
export { reportStalledReader } from './broker/stalled-reader.ts'
export { findStreamEnd, readLogRange, type StreamAccess, scanLogRange } from './broker/stream-range.ts'
export { declareTopology, type Topology, topologyOf } from './broker/topology.ts'
export type { CacheLease } from './cache-lease/cache-lease.ts'
export type { ChangeAnnouncer } from './cache-lease/change-announcer.ts'
export type { AnnouncedPosition, Follower } from './cache-lease/followed-source.ts'
export { loadChangesSince } from './cache-lease/load-changes-since.ts'
export {
  leaveUnannounced,
  type PendingChanges,
  type RecentChange,
  type RecentChangesPage,
} from './cache-lease/recent-changes.queries.ts'
export { Batched } from './concurrency/batched.ts'
export { createConcurrencyLimit, type LimitConcurrency } from './concurrency/concurrency-limit.ts'
export {
  commonVariables,
  databaseVariables,
  digestVariables,
  externalVariables,
  peerVariables,
  pushVariables,
  quotaVariables,
  signOnVariables,
  webhookVariables,
} from './configuration/variables.ts'
export { SharedText } from './deflate/shared-text.ts'
export type { FileStore, PartContext, ServicePart } from './export-part/part.ts'
export { exportPartHandlers, lockImport, removePart } from './export-part/part-handlers.ts'
export { acceptFrames } from './frames/accept-frames.ts'
export { FrameConnection, SilentPeerError } from './frames/frame-connection.ts'
export { openFrames, UpgradeRefusedError } from './frames/open-frames.ts'
export { escapeHtml } from './html/escape-html.ts'
export { Html, html } from './html/html.ts'
export type { CheckChannels, ServedApi } from './http/api.ts'
export { type ByteTracker, trackAnswerBytes } from './http/buffered-bytes.ts'
export { clientNameOf } from './http/client-name.ts'
export { type Decoded, decodeFields, decodePathField, decodeValue } from './http/decode.ts'
export { errorReplyOf } from './http/error-reply.ts'
export {
  EVENT_STREAM_HEADERS,
  EventStreamAnswer,
  type EventStreamOutput,
} from './http/event-stream-answer.ts'
export { asAppError, databaseCodeOf } from './http/failure.ts'
export { type ByteRange, FileAnswer } from './http/file-answer.ts'
export type { IncomingFile, ReceiveFile } from './http/file-body.ts'
export { decodeUtf8, type Fields, type ReadBody, type UnreadBody } from './http/form.ts'
export type {
  Handler,
  HandlersOf,
  InternalHandler,
  InternalHandlersOf,
  Request,
  Route,
  StreamAnswer,
} from './http/handler.ts'
export {
  type WrittenItems,
  WrittenJson,
  WrittenList,
  writeItems,
  writeJsonFields,
} from './http/json-fields.ts'
export { parseJson } from './http/json-value.ts'
export { LEAVING_HEADER } from './http/leaving.ts'
export { type BrowserState, PageAnswer } from './http/page-answer.ts'
export {
  createOutwardClient,
  type OutwardAnswer,
  OutwardCallError,
  type OutwardFault,
  type OutwardRequest,
  type PostOutward,
} from './http/post-outward.ts'
export { PROCESSING_MS, SILENT_MS } from './http/processing.ts'
export {
  HeadersAnswer,
  JoinedFields,
  RedirectAnswer,
  replyError,
  replyJson,
  replySuccess,
  SerializedFields,
  sentStatus,
} from './http/reply.ts'
export { createRouteTable, type RouteTable } from './http/routes.ts'
export { ScimAnswer } from './http/scim-answer.ts'
export type { Express, HttpOptions, HttpServer, RequestHandler, ServerLimits } from './http/server.ts'
export { answerPicture } from './http/stored-picture.ts'
export { subdomainOf } from './http/subdomain.ts'
export { takeConnection } from './http/take-connection.ts'
export { bodyTooLarge, tooLargeFor } from './http/too-large.ts'
export { createInternalClient, type InternalClient } from './internal-calls/internal-client.ts'
export { createInternalStreams, type InternalStreams } from './internal-calls/internal-streams.ts'
export { pauseBeforeAttempt } from './internal-calls/retry.rules.ts'
export type { Probe, Readiness } from './lifecycle/health.ts'
export { type Loop, startLoop } from './lifecycle/loop.ts'
export { startPagedRepair } from './lifecycle/paged-repair.ts'
export { FINISH_MS, FORCED_EXIT_MS } from './lifecycle/shutdown.ts'
export { readLines } from './ndjson/lines.ts'
export { writeRecords } from './ndjson/records.ts'
export { actAsSessionUser, type Origin, type OriginHolder, runAs } from './origin/origin.ts'
export type { Audited, AuditedEvent } from './outbox/audit.ts'
export { type Cause, CREATING, type Publish, publisherOf } from './outbox/publish.ts'
export { type OutboxRelay, startOutboxRelay } from './outbox/relay.ts'
export { publishUnsequenced } from './outbox/unsequenced-entry.ts'
export { alertOf, inputOf } from './pages/fields.ts'
export { deadLinkPage, type PageOwner, pageOf, type Wait } from './pages/layout.ts'
export {
  defineLockOrder,
  type LockDeclaration,
  type LockKey,
  type LockLevel,
  type LockViolation,
} from './postgres/lock-order.ts'
export { LOCK_OUT_OF_ORDER } from './postgres/lock-violations.ts'
export { createPool, isCancelled, isUniqueViolation, type Pool } from './postgres/pool.ts'
export { createPrismaTransact, type PrismaTransact } from './postgres/prisma-transaction.ts'
export { readRows, streamSnapshot } from './postgres/read-rows.ts'
export {
  type OutboxWriter,
  type Queryable,
  readWithSnapshot,
  type Tx,
  transact,
} from './postgres/transaction.ts'
export { runAfterRestore } from './programs/run-after-restore.ts'
export { runMigrate } from './programs/run-migrate.ts'
export { applyInOwnTransaction, applyRecords, repairRecords } from './projections/apply-records.ts'
export {
  type AppliedRecord,
  defineProjection,
  type OwnedRecord,
  type Projection,
  type RecordsPage,
} from './projections/define-projection.ts'
export { followOwner } from './projections/follow-owner.ts'
export { loadProjection } from './projections/load-projection.ts'
export {
  type DomainEventHandler,
  onDomainEvent,
  type ProjectionConsumer,
} from './projections/projection-consumer.ts'
export { handlersOf, type ProjectionOwner, projectionOwner } from './projections/projection-owner.ts'
export type { ProjectionReplay } from './projections/projection-replay.ts'
export { readThrough } from './projections/read-through.ts'
export { deleteFiles } from './realm-deletion/delete-files.ts'
export { DELETION_BATCH, deleteBatch, deleteRows } from './realm-deletion/delete-rows.queries.ts'
export { type DeletionStep, runDeletion } from './realm-deletion/run-deletion.ts'
export {
  closeRedis,
  connectRedis,
  masterOf,
  mastersOf,
  type Redis,
  type RedisConnectOptions,
  untilRedisReady,
  waitForRedis,
} from './redis/connect.ts'
export { type Subscription, subscribe } from './redis/subscribe.ts'
export { type Opening, openBroker, openOutbox, openService, serve, serveApi } from './service/assembly.ts'
export { openCacheLease, openChangeAnnouncer } from './service/open-leases.ts'
export { openProjections } from './service/open-projections.ts'
export { postgresProbe, rabbitmqProbe, redisProbe, relayProbe } from './service/probes.ts'
export { runService, setExitCode } from './service/run.ts'
export { createLog, type Logger } from './telemetry/log.ts'
export {
  Counter,
  createMetrics,
  Gauge,
  Histogram,
  Registry,
  requestDurationsOf,
} from './telemetry/metrics.ts'
export { describeRequest, type Served, startServerSpan } from './telemetry/server-span.ts'
export {
  activeSpan,
  currentTraceparent,
  headersOf,
  inSpan,
  inSpanOf,
  isTracing,
  markFailed,
  type OpenSpan,
  remoteContext,
  runInSpan,
  type Span,
  SpanKind,
  setTracer,
  startSpan,
  type TraceContext,
  traceFields,
  traceparentOf,
} from './telemetry/tracer.ts'
export { type TracingSettings, tracingVariables } from './telemetry/tracing-settings.ts'
export { refuseDistrusted } from './tls/distrusted.ts'
export {
  type Agents,
  connectedEvent,
  createAgents,
  IDLE_CONNECTION_MS,
  isHttps,
  requestBy,
  requestStatus,
} from './tls/requests.ts'
export { servernameOf } from './tls/servername.ts'
export {
  type ClientTls,
  clientTlsOf,
  type ServerTls,
  serverTlsOf,
  type TlsVariables,
  tlsVariables,
  withPublicAuthorities,
} from './tls/settings.ts'
export { privateKey } from './tokens/keys.ts'
export {
  type Caller,
  createInternalTokenSource,
  createUserTokenSigner,
  createUserTokenVerifier,
  isLimited,
  type LimitedCaller,
  type Provisioner,
  type Spectator,
  type TokenHolder,
  type UserTokenVerifier,
  userTokenReuseMs,
} from './tokens/tokens.ts'
export { describeIssue, wordIssue } from './validation/describe-issue.ts'
export { parseEnvironment } from './validation/parse-environment.ts'
