import type { PushedMessage, PushNotice } from '@tms/contracts'

/**
 * How devices are reached: Apple's and Google's services, Web Push for browsers and UnifiedPush, or a push relay service
 * for all apps of a user together. Clients for which notifications are encrypted are reached by Apple and Google too, or
 * by the push relay service, which has their tokens.
 */
export type PushService = 'apns' | 'fcm' | 'web_push' | 'relay' | SealedService
export type SealedService = 'sealed_apns' | 'sealed_fcm' | 'sealed_relay_apns' | 'sealed_relay_fcm'

/** A device that a user has registered. */
export interface RegisteredDevice {
  readonly service: PushService
  readonly token: string
  readonly appId: string | null
}

/** What appears on a device, or disappears from it. */
export type Notice =
  | { readonly kind: 'message'; readonly message: PushedMessage; readonly unreadCount: number }
  /** In place of this message and those that follow, beyond what an hour may bring. */
  | {
      readonly kind: 'summary'
      readonly message: PushedMessage
      /** It stands for so many that waited while the user wanted quiet, this one included. */
      readonly waiting?: NonNullable<PushNotice['waiting']> & { readonly unreadCount: number }
    }
  | { readonly kind: 'remove'; readonly messageIds: readonly number[]; readonly unreadCount: number }
  | { readonly kind: 'test'; readonly time: number }

/** A device as it is sent to. */
export interface SentTo {
  /** Its ID, if the push relay service alone knows the token. */
  readonly token: string
  /** The app on an Apple device. */
  readonly appId: string | null
  /** Keys of Web Push. */
  readonly p256dh: string | null
  readonly authSecret: string | null
  /** The key that notifications of a client are encrypted with, in base64, and its number; null if they aren't. */
  readonly pushKey: string | null
  readonly pushKeyId: number | null
}

/** An organization as its notifications show it. */
export interface PushRealm {
  readonly url: string
  readonly name: string
  /** Whether what isn't encrypted for the device shows neither texts nor names. */
  readonly requiresEncryption: boolean
}

/** A notice with what its receiver must know. */
export interface Push {
  /** The same in all attempts. */
  readonly id: string
  readonly notice: Notice
  readonly realm: PushRealm
  readonly realmId: number
  readonly userId: number
  /** The language of the settings. */
  readonly language: string
  /** How long the service keeps it for a device that is off. */
  readonly ttlSeconds: number
}

/**
 * What became of an attempt. `gone`: the device no longer exists. `refused`: another attempt can't help. `retry`:
 * another may, for this device or any of the service, after `afterMs` if the service says so.
 */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'gone'; readonly reason: string }
  | {
      readonly kind: 'refused'
      readonly reason: string
      /** Whether a user named the address that refuses: an operator can do nothing about it. */
      readonly isOfUser?: boolean
    }
  | {
      readonly kind: 'retry'
      readonly reason: string
      readonly afterMs: number | null
      readonly scope: 'device' | 'service'
      /** Whether the service may have taken the notice, so that each further attempt may show it once more. */
      readonly isUnclear?: boolean
    }

/** Sends to devices of one service. Never throws. */
export interface PushSender {
  send(device: SentTo, push: Push): Promise<SendResult>
  close(): void
}

/** Those that the installation has credentials of. */
export type PushSenders = Readonly<Partial<Record<PushService, PushSender>>>
