import type { AnyEndpoint } from './endpoint.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Limits that the API promises; the register response contains them (API document, "Limits"). */
export const limits = {
  maxMessageLength: 10_000,
  maxTopicLength: 60,
  maxChannelNameLength: 60,
  maxChannelDescriptionLength: 1024,
  /** `num_before` plus `num_after` of one GET /messages. */
  maxMessagesPerFetch: 5_000,
  maxNarrowTerms: 100,
  /** ID that a sender chooses for local echo: it is stored with the event, and returned as it is. */
  maxLocalIdLength: 255,
  maxRequestBodyBytes: MIB,
  /** Of an answer of a SAML provider, in base64: encrypted ones with a thousand groups have half as much. */
  maxSamlAnswerLength: 256 * KIB,
  /** Large enough for lists in GETs, which have no body: 5,000 message IDs take 70 KB. */
  maxUrlBytes: 128 * KIB,
  /** The URL and all headers: kept in memory before the caller is authenticated, so not much more than a URL needs. */
  maxHeaderBytes: 256 * KIB,
  maxFileUploadMib: 25,
  /** Messages in the record of an attachment: the newest that link it. */
  maxMessagesPerAttachment: 1_000,
  /** The newest edits that are stored with a message; the newest one of any length. */
  maxEditHistoryKib: 256,
  /** Recipients of a direct message, beside its sender: each event lists all of them. */
  maxDirectMessageRecipients: 250,
  /** From now to `quiet_until`, until when notifications wait. */
  maxSnoozeDays: 90,
  /** Per message: all of them are returned with it. */
  maxSubmessages: 10_000,
  /** Contents and types of a message's submessages. */
  maxSubmessagesMib: 1,
  /** Per user: all of them are listed at once. */
  maxDrafts: 1_000,
  /** Per user, including failed ones, for the same reason. */
  maxScheduledMessages: 1_000,
  /** All drafts of a user, and all scheduled messages with the HTML, which can be a megabyte each. */
  maxUnsentMib: 8,
  /** Size of an emoji, an avatar, an icon or a logo. */
  maxPictureMib: 5,
  /** Pixels. JPEG allows no more; larger claims of other formats would only make clients reserve room. */
  maxPictureSide: 65_535,
  /** Per organization: each change is sent to everyone with all of them. */
  maxCustomEmoji: 1_000,
  /** The same including deactivated ones, which stay listed for old messages. */
  maxCustomEmojiEver: 3_000,
  /** IDs in one POST /messages/flags, in `principals`, or channels in one subscribe call. */
  maxListLength: 10_000,
  /** Channels that one subscribe call creates: each is sent to everyone. */
  maxNewChannelsPerCall: 100,
  /** Per user who isn't an administrator; archived ones don't count. */
  maxNewChannelsPerDay: 500,
  /** Topics with a visibility policy, per user: register returns all of them. */
  maxTopicPolicies: 10_000,
  /** Muted ones among these: each change is sent with the whole list. */
  maxMutedTopics: 2_000,
  /** Addresses in one POST /invites: each gets a mail. */
  maxInvitees: 1_000,
  /** Per member: each has its own rate limit. Administrators and owners have any number. */
  maxActiveBots: 100,
  /** Per bot: keys and values. */
  maxBotStorageCharacters: 10_000_000,
  /** Per bot: all of them can be read at once. */
  maxBotStorageKeys: 100_000,
  /** An index allows no longer ones. */
  maxBotStorageKeyLength: 500,
  /** Per user: all of them are listed at once. */
  maxSavedSnippets: 1_000,
  maxSavedSnippetTitleLength: 60,
  /** Titles and contents of all saved snippets of a user: register returns them. */
  maxSavedSnippetCharacters: 1_000_000,
  /** Per bot: keys and values. Register returns all of them to the bot's managers. */
  maxBotConfigCharacters: 10_000,
  maxDeactivationCommentLength: 2_000,
  maxUserGroupNameLength: 100,
  maxUserGroupDescriptionLength: 1024,
  maxAlertWordLength: 100,
  /** Per user; too few annoy users who follow many products, too many make every message slow. */
  maxAlertWords: 1_000,
  /** All alert words of a user together. */
  maxAlertWordCharacters: 20_000,
  /** Per user; each change is sent with the whole list. */
  maxMutedUsers: 1_000,
  maxStatusLength: 60,
  /** Per user or bot: all of them are listed at once. */
  maxApiTokens: 100,
  maxApiTokenNameLength: 100,
  /** Each request of a token carries their IDs from the gateway to its service. */
  maxApiTokenChannels: 50,
  /** Ten years. */
  maxApiTokenSeconds: 315_360_000,
  /** Devices with a registered app, per user. */
  maxPushDevices: 100,
  maxClientDevices: 100,
  /** Of a user's devices. */
  maxPushTestsPerMinute: 10,
  maxPushTokenLength: 4_096,
  maxPushAppIdLength: 255,
  maxPushEndpointLength: 1_000,
  /** Changes in one POST /users/me/subscriptions/properties: each is made separately. */
  maxSettingsPerCall: 1_000,
} as const

/** Uploads in parts (tus 1.0), which are kept for so long after they were begun, and so many of a user at once. */
export const resumableUploads = {
  ...{ path: '/tus', version: '1.0.0', extensions: ['creation', 'expiration', 'termination'] },
  ...{ lifetimeHours: 24, maxOpen: 20 },
} as const

/** The largest file that `POST /user_uploads` takes. */
export const maxFileUploadBytes = limits.maxFileUploadMib * MIB
/** The largest picture of a user or an organization. */
export const maxPictureBytes = limits.maxPictureMib * MIB
/** Around the file: boundaries, headers and a few fields. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024

/** The largest body that an endpoint takes, in bytes. */
export function maxBodyBytesOf({ body, maxFileMib }: Pick<AnyEndpoint, 'body' | 'maxFileMib'>): number {
  switch (body) {
    case 'fields':
      return limits.maxRequestBodyBytes
    case 'fields-and-picture':
      return limits.maxRequestBodyBytes + maxFileMib * MIB
    case 'file':
      return maxFileMib * MIB + MULTIPART_OVERHEAD_BYTES
    case 'bytes':
      return maxFileMib * MIB
  }
}

/** Seconds and milliseconds of the event queue protocol (API document, "Get events from an event queue"). */
export const queueTiming = {
  /** Client-side timeout of GET /events; must exceed the longest heartbeat interval. */
  longpollTimeoutSeconds: 90,
  /** A poll without events is answered after 45 to 55 s, spread so that clients don't return in waves. */
  heartbeatMinMs: 45_000,
  heartbeatSpreadMs: 10_000,
  defaultLifespanSeconds: 600,
  maxLifespanSeconds: 604_800,
  /** `mobile` in `idle_queue_timeout`: a phone sleeps for a night. */
  mobileLifespanSeconds: 43_200,
} as const

/** Clients that `GET /compatibility` refuses. */
export const refusedClients = {
  /** Existing clients use this name to test how they handle being too old. */
  incompatible: 'ZulipInvalid',
  /** Older ones don't understand the server's answers. */
  onAndroid: { name: 'ZulipMobile', oldest: [16, 2, 96] },
} as const

/** Requirements for a new password; `minGuesses` as zxcvbn estimates them. */
export const passwordRule = { minLength: 6, maxLength: 100, minGuesses: 10_000 } as const

/** Typing indicator periods in milliseconds (API document, "Set typing status"). */
export const typingTiming = {
  startedExpiryMs: 45_000,
  stoppedWaitMs: 12_000,
  startedWaitMs: 30_000,
} as const

/** Channels and conversations with more members don't show who types (API document, "Set typing status"). */
export const maxTypingAudience = 100

/** Version of the server (API document, "Versioning"). */
export const serverVersion = {
  /** All API changes up to this level are implemented: `feature-levels.ts`. */
  featureLevel: 371,
  version: '10.0',
  mergeBase: '10.0',
  /** Increases with a release that requires clients to reload. None does so far: queues survive upgrades. */
  generation: 0,
} as const
