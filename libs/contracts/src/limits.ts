import type { AnyEndpoint } from './endpoint.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Numbers that the API promises; the register response tells clients (API document, "Limits"). */
export const limits = {
  maxMessageLength: 10_000,
  maxTopicLength: 60,
  maxChannelNameLength: 60,
  maxChannelDescriptionLength: 1024,
  /** `num_before` plus `num_after` of one GET /messages. */
  maxMessagesPerFetch: 5_000,
  maxNarrowTerms: 100,
  /** Of what a sender chooses for local echo: it is kept with the event, and told as it is. */
  maxLocalIdLength: 255,
  maxRequestBodyBytes: MIB,
  /** Too small for lists in GETs, which have no body: 5,000 message IDs take 70 KB. */
  maxUrlBytes: 128 * KIB,
  /** The URL and all headers: kept in memory before anybody knows who calls, so not much more than a URL needs. */
  maxHeaderBytes: 256 * KIB,
  maxFileUploadMib: 25,
  /** Messages in the record of an attachment: the newest that link it. */
  maxMessagesPerAttachment: 1_000,
  /** The newest edits that are kept with a message; the newest of all however long. */
  maxEditHistoryKib: 256,
  /** Of a direct message, beside its sender: each of them is told of all. */
  maxDirectMessageRecipients: 250,
  /** Of one message: all of them come with it. */
  maxSubmessages: 10_000,
  /** Of their contents and types. */
  maxSubmessagesMib: 1,
  /** Of one user: all of them are listed at once. */
  maxDrafts: 1_000,
  /** Of one user, with those that could not be sent: likewise. */
  maxScheduledMessages: 1_000,
  /** Of the drafts of one user, and of their scheduled messages with the HTML, which can be a megabyte each. */
  maxUnsentMib: 8,
  /** Of an emoji, an avatar, an icon or a logo. */
  maxPictureMib: 5,
  /** Pixels. JPEG has no more; what other formats claim beyond would only have clients make room for it. */
  maxPictureSide: 65_535,
  /** Of one organization: everyone is told all of them at each change. */
  maxCustomEmoji: 1_000,
  /** The same with those that were deactivated, which stay listed for what was written with them. */
  maxCustomEmojiEver: 3_000,
  /** IDs in one POST /messages/flags, in `principals`, or channels in one subscribe call. */
  maxListLength: 10_000,
  /** Channels that one subscribe call creates: everyone is told of each. */
  maxNewChannelsPerCall: 100,
  /** By one user who isn't an administrator; archived ones aren't counted. */
  maxNewChannelsPerDay: 500,
  /** Of one user, that the user sees some way: all of them are told at register. */
  maxTopicPolicies: 10_000,
  /** Of these the muted: the whole list is told at each change. */
  maxMutedTopics: 2_000,
  /** Addresses in one POST /invites: each gets a mail. */
  maxInvitees: 1_000,
  /** Of one member: each has a limit of calls of its own. Administrators and owners have any number. */
  maxActiveBots: 100,
  /** Of one bot: keys and values. */
  maxBotStorageCharacters: 10_000_000,
  /** Of one bot: all of them can be read at once. */
  maxBotStorageKeys: 100_000,
  /** An index has no longer ones. */
  maxBotStorageKeyLength: 500,
  /** Of one bot: keys and values. Whoever manages the bot gets all of them at register. */
  maxBotConfigCharacters: 10_000,
  maxDeactivationCommentLength: 2_000,
  maxUserGroupNameLength: 100,
  maxUserGroupDescriptionLength: 1024,
  maxAlertWordLength: 100,
  /** Of one user; too few annoy who follows many products, too many are looked for in every message. */
  maxAlertWords: 1_000,
  /** Of all alert words of one user. */
  maxAlertWordCharacters: 20_000,
  /** By one user; the whole list is told at each change. */
  maxMutedUsers: 1_000,
  maxStatusLength: 60,
  /** Of one user, on which apps were registered. */
  maxPushDevices: 100,
  maxPushTokenLength: 4_096,
  maxPushAppIdLength: 255,
  /** Changes in one POST /users/me/subscriptions/properties: each is made on its own. */
  maxSettingsPerCall: 1_000,
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
  }
}

/** Seconds and milliseconds of the event queue protocol (API document, "Get events from an event queue"). */
export const queueTiming = {
  /** Client-side timeout of GET /events; must exceed the longest heartbeat interval. */
  longpollTimeoutSeconds: 90,
  /** A poll with nothing new is answered after 45 to 55 s, spread so that clients don't return in waves. */
  heartbeatMinMs: 45_000,
  heartbeatSpreadMs: 10_000,
  defaultLifespanSeconds: 600,
  maxLifespanSeconds: 604_800,
  /** What `idle_queue_timeout` means by `mobile`: a telephone sleeps for a night. */
  mobileLifespanSeconds: 43_200,
} as const

/** Clients that `GET /compatibility` refuses. */
export const refusedClients = {
  /** Existing clients test by this name how they take being called too old. */
  incompatible: 'ZulipInvalid',
  /** Older ones don't understand what they are told. */
  onAndroid: { name: 'ZulipMobile', oldest: [16, 2, 96] },
} as const

/** What a new password must have; `minGuesses` as zxcvbn estimates them. */
export const passwordRule = { minLength: 6, minGuesses: 10_000 } as const

/** Typing indicator periods in milliseconds (API document, "Set typing status"). */
export const typingTiming = {
  startedExpiryMs: 45_000,
  stoppedWaitMs: 12_000,
  startedWaitMs: 30_000,
} as const

/** Channels and conversations of more people don't show who types (API document, "Set typing status"). */
export const maxTypingAudience = 100

/** What the server says of itself (API document, "Versioning"). */
export const serverVersion = {
  /** All API changes up to this level hold. */
  featureLevel: 277,
  version: '9.0-tms',
  mergeBase: '9.0-tms',
  /** Grows with a release that clients must load themselves anew for. None is: queues live through upgrades. */
  generation: 0,
} as const
