// Written by `npm run gen` (tools/barrels.ts).

export { type AccessRule, allows, type ConditionsOf, type Ground, isMet } from './access/access-rule.ts'
export {
  type ChannelConditions,
  canAccessPublicChannels,
  canAccessUnsubscribed,
  canSeeDefaultChannels,
  canSeeUnsubscribed,
  channelRules,
} from './access/channel-rules.ts'
export { type FileConditions, fileRules } from './access/file-rules.ts'
export { messageRules } from './access/message-rules.ts'
export {
  canSeeAllUsers,
  GROUP_WITH_GUESTS,
  restrictsGuestVisibility,
  userRules,
} from './access/user-rules.ts'
export {
  type Audit,
  type AuditEntry,
  type AuditTargetType,
  boundAuditDetails,
  MAX_AUDIT_DETAILS_LENGTH,
} from './declarations/audit.ts'
export {
  type Audience,
  type DomainEvent,
  domainEvent,
  type LogEntry,
  type PayloadOf,
  type Selector,
} from './declarations/domain-event.ts'
export {
  type AnyEndpoint,
  API_PREFIX,
  type Auth,
  type Endpoint,
  type EndpointInput,
  type EndpointOutput,
  type InternalEndpoint,
  internalEndpoint,
  type Method,
  type ServiceName,
  type StreamDirection,
} from './declarations/endpoint.ts'
export type { GroupObjection } from './declarations/error-details.ts'
export {
  AppError,
  badRequest,
  type ErrorCode,
  errorTable,
  fileTooLarge,
  invalidVariable,
  publicCodeOf,
} from './declarations/errors.ts'
export { featureLevels } from './declarations/feature-levels.ts'
export { gatewayHeaders } from './declarations/gateway-headers.ts'
export { JsonFields, type TextSum } from './declarations/json-fields.ts'
export {
  limits,
  maxBodyBytesOf,
  maxFileUploadBytes,
  maxPictureBytes,
  maxTypingAudience,
  passwordRule,
  queueTiming,
  refusedClients,
  resumableUploads,
  serverVersion,
  typingTiming,
} from './declarations/limits.ts'
export { cookieNameOf, namesPageCookie, type PageCookie } from './declarations/page-cookies.ts'
export {
  type Encoding,
  type InputOf,
  json,
  type Parameter,
  type Parameters,
  text,
  textOrJson,
} from './declarations/parameter.ts'
export {
  type RequestLinkAnswers,
  type RequestLinkRequests,
  requestLink,
} from './declarations/request-link.ts'
export {
  type ChannelParameter,
  type TokenAccess,
  type TokenScope,
  tokenScopes,
} from './declarations/token-scope.ts'
export { asyncApiDocument } from './documents/asyncapi.ts'
export { auditLogDocument } from './documents/audit-log-document.ts'
export { exportRecordsDocument } from './documents/export-records.ts'
export { featureLevelsDocument } from './documents/feature-levels-document.ts'
export { type JsonObject, outputSchema } from './documents/json-schema.ts'
export { markdownTable } from './documents/markdown-table.ts'
export { openApiDocument } from './documents/openapi.ts'
export { clientEvents } from './events/client-events/all.ts'
export type { QueueStatus } from './events/internal/calls.ts'
export {
  type LinkedStreamEnd,
  type PollError,
  type PollLinkAnswers,
  type PollLinkRequests,
  type PollRequest,
  pollAnswer,
  pollLink,
  STREAM_WINDOW,
  streamMessage,
  supersededMessage,
} from './events/poll-link.ts'
export type { QueueRecord } from './events/queue-record.ts'
export { nothingForSpectators, spectatorRealmKeys } from './events/spectator-state.ts'
export {
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  type ArchivePart,
  archiveManifest,
  archivePaths,
} from './exports/archive.ts'
export { type ExportCalls, exportCallsOf } from './exports/export-calls.ts'
export {
  type ExportPart,
  type ExportScope,
  exportedFile,
  exportParts,
  exportScope,
  kindsOf,
  type RecordCounts,
  type RecordSchema,
  recordsBegin,
  recordsEnd,
} from './exports/records.ts'
export type { Digest } from './messaging/digests.ts'
export { EMPTY_TOPIC_NAME, topicNameFor, topicOf } from './messaging/empty-topic.ts'
export type { WebhookAttempt, WebhookDelivery } from './messaging/endpoints/incoming-webhooks.ts'
export { type MessagingRecord, messagingRecord } from './messaging/export-records.ts'
export type { MessageHolders } from './messaging/message-audience.ts'
export { widgetContent } from './messaging/parameters/widget-content.ts'
export {
  type AttachmentRecord,
  type ChannelGrantees,
  type ChannelRecord,
  type DraftRecord,
  type EditedRecipient,
  type EditHistoryEntry,
  type MessageFlag,
  type MessageRecord,
  type MutedTopic,
  messageFlag,
  type NewDraft,
  type PropagateMode,
  type ReactionEmoji,
  type ReactionRecord,
  type ScheduledMessageRecord,
  type SubmessageRecord,
  type SubscriptionRecord,
  type SubscriptionSettings,
  type UserTopic,
} from './messaging/records.ts'
export { VisibilityPolicy } from './messaging/visibility.ts'
export {
  canonicalGroupSetting,
  type GroupSettingChange,
  type GroupSettingValue,
  groupSettingParts,
  groupSettingValue,
  isSameGroupSetting,
  withoutMembers,
} from './permissions/group-setting-value.ts'
export {
  type LegacyPolicyName,
  legacyPoliciesOf,
  legacyPolicyNames,
  permissionNamesOfPolicy,
  permissionsOfPolicy,
} from './permissions/legacy-policies.ts'
export {
  type ChannelPermission,
  type ChannelPermissionValues,
  changedGroupSetting,
  channelPermissionNames,
  channelPermissions,
  checkGroupSetting,
  customGroupsOf,
  defaultChannelPermissions,
  defaultGroupSetting,
  type GroupPermission,
  type GroupPermissionValues,
  groupPermissionNames,
  groupPermissions,
  groupSettingsToCheck,
  hasPermission,
  initialGroupSetting,
  type PermissionSetting,
  type RealmPermission,
  type RealmPermissionValues,
  realmPermissionNames,
  realmPermissions,
} from './permissions/permission-settings.ts'
export { isFullMember, type PolicySubject } from './permissions/policies.ts'
export { groupOfPostPolicy, PostPolicy } from './permissions/post-policy.ts'
export { Role } from './permissions/role.ts'
export {
  FIRST_CUSTOM_GROUP_ID,
  isCustomGroup,
  isInSystemGroup,
  type SystemGroupName,
  systemGroupIds,
  systemGroupTitles,
} from './permissions/system-groups.ts'
export type { ProjectionsStatus, ReplayStart, ReplayStatus } from './projections/projection-replay.ts'
export {
  type ActorKind,
  type AuditRecord,
  auditRecord,
  auditRetentionDays,
  MAX_AUDIT_TARGETS,
} from './realm/audit-log.ts'
export { type RealmRecord, realmRecord } from './realm/export-records.ts'
export {
  exportsFor,
  exportTypes,
  fullExportRoles,
  type RealmExport,
  scopeOfExportType,
} from './realm/exports.ts'
export { historyVisibilityFor, historyVisibilityOf, showsEdits } from './realm/history-visibility.ts'
export type { RealmChanges } from './realm/internal/calls.ts'
export {
  type ExternalAccount,
  externalAccounts,
  type FieldOptions,
  optionKeysOf,
  type ProfileField,
  type ProfileFieldType,
  profileFieldTypes,
} from './realm/profile-fields.ts'
export {
  type CodePlayground,
  type CustomEmoji,
  type EmailDomain,
  emojiById,
  type Linkifier,
  type RealmPicture,
  type RealmProjection,
  realmPicture,
  realmProjection,
} from './realm/records.ts'
export {
  type HistoryVisibility,
  historyVisibility,
  messageTimeLimits,
  type PlainRealmSetting,
  plainRealmSettings,
  type RealmSettingValue,
  realmLimits,
} from './realm/settings.ts'
export {
  type ClientCapabilities,
  clientCapabilities,
  type RegisterStateBody,
  type RegisterStateResponse,
  wants,
} from './register/register-state.ts'
export { allDomainEvents, allEndpoints, apiEndpoints } from './registries/all.ts'
export * as domainEvents from './registries/domain-events.ts'
export * as endpoints from './registries/endpoints.ts'
export * as internal from './registries/internal.ts'
export {
  type AuthenticationMethod,
  authenticationMethodNames,
  enabledMethods,
  methodFlags,
  takesPasswords,
} from './sign-on/authentication-methods.ts'
export { type ExternalMethod, externalMethodsOf } from './sign-on/external-methods.ts'
export { isSharedKey, type JwtAlgorithm, type JwtIssuerSettings } from './sign-on/jwt-settings.ts'
export {
  findProviders,
  idOf,
  methodOfKind,
  type ProviderKind,
  type ProviderSettings,
  pathOf,
  providerKinds,
} from './sign-on/provider-settings.ts'
export type { SignInRefusalReason } from './sign-on/refusal-reasons.ts'
export {
  findRemoteUser,
  REMOTE_USER_HEADER,
  REMOTE_USER_ID,
  type RemoteUserSettings,
} from './sign-on/remote-user.ts'
export {
  availableMethods,
  type DirectorySettings,
  defaultSignOn,
  findDirectory,
  NAME_PLACEHOLDER,
  type SignOnSettings,
  signOnSettings,
} from './sign-on/sign-on-settings.ts'
export { type Announcement, announcement } from './users/announcement.ts'
export { API_TOKEN_PREFIX } from './users/api-token-form.ts'
export type { ApiTokenRecord } from './users/api-tokens.ts'
export {
  type BotData,
  type BotDefaults,
  type BotRecord,
  type BotService,
  BotType,
  INTEGRATION_KEY,
  WebhookInterface,
} from './users/bots.ts'
export type { ClientDevice, PushRegistrationError } from './users/client-devices.ts'
export type { DirectorySyncReport } from './users/directory-sync.ts'
export { canSeeDeliveryEmail } from './users/email-visibility.ts'
export type { InvitationChange } from './users/events/users.ts'
export type { ExportConsent } from './users/export-consents.ts'
export { type UsersRecord, type UsersRecordOf, usersRecord } from './users/export-records.ts'
export {
  type GroupMembers,
  type UserGroup,
  type UserGroupProjection,
  userGroupProjection,
} from './users/groups.ts'
export type { GuestVisibilityChange } from './users/guest-visibility.ts'
export type { UsersChanges } from './users/internal/calls.ts'
export type { Joining } from './users/joining.ts'
export { knownTimeZone } from './users/known-time-zone.ts'
export {
  AWAY_AFTER_SECONDS,
  type ComparedConversation,
  type MissedConversation,
  type MissedMessages,
  type MissedReference,
  missedMessagesOutcome,
  type NotificationTrigger,
  notificationTrigger,
} from './users/missed-messages.ts'
export { notificationSounds } from './users/notification-sounds.ts'
export { type OnboardingStep, type OneTimeNotice, oneTimeNotices } from './users/onboarding.ts'
export type { UserChange } from './users/person-changes.ts'
export {
  clientPresence,
  type LegacyPresence,
  type ModernPresence,
  maxPresenceAudience,
  presenceTiming,
  type StatusChange,
  type UserStatus,
} from './users/presence.ts'
export type { ProfileValue } from './users/profile-value.ts'
export {
  type PushedMessage,
  type PushNotice,
  type PushOutcome,
  type PushState,
  type PushTrigger,
  pushOutcome,
  pushTrigger,
} from './users/pushes.ts'
export { type QuietSettings, quietUntil } from './users/quiet-hours.ts'
export {
  type ActedOnSettings,
  actedOnSettings,
  type MutedUser,
  type SettingChange,
  type UserProjection,
  type UserRecord,
  type UserWithActivity,
  userProjection,
  userWithActivity,
} from './users/records.ts'
export type { SavedSnippetRecord } from './users/saved-snippets.ts'
export {
  type DefaultableSetting,
  EmailVisibility,
  isDefaultable,
  type LegacyType,
  legacyTypeOf,
  type SettingDefinition,
  type SettingName,
  type SettingValue,
  settingDefinitions,
  userSettings,
} from './users/settings.ts'
export type { SignOnCheck } from './users/sign-on-check.ts'
export {
  emailHostOf,
  emailOfId,
  UNKNOWN_USER_AVATAR,
  UNKNOWN_USER_NAME,
  unknownUser,
} from './users/unknown-user.ts'
