import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Kinds of mail that a link turns off, with their settings. */
export const unsubscribable = {
  missed_messages: 'enable_offline_email_notifications',
  digest: 'enable_digest_emails',
  login: 'enable_login_emails',
  marketing: 'enable_marketing_emails',
} as const
export type UnsubscribableMail = keyof typeof unsubscribable

const KEY = '([1-9]\\d{0,9})-([\\w-]{43})'
const WHOLE_KEY = new RegExp(`^${KEY}$`)
/** Finds a link within a text. */
export const UNSUBSCRIBE_LINK = new RegExp(`/accounts/unsubscribe/\\w+/${KEY}`)

/** Links by which the owner of an account turns off a kind of mail without signing in. They never expire. */
export interface UnsubscribeLinks {
  urlOf(realmUrl: string, type: UnsubscribableMail, userId: number): string
  /** The user whose link has this key; null for a wrong one. */
  userIdOf(type: UnsubscribableMail, key: string): number | null
}

/** Replicas with the same secret accept each other's links. */
export function createUnsubscribeLinks(secret: string): UnsubscribeLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'unsubscribe link', 32))
  const signatureOf = (type: UnsubscribableMail, userId: string) =>
    createHmac('sha256', key).update(`${type} ${userId}`).digest('base64url')
  return {
    urlOf: (realmUrl, type, userId) =>
      `${realmUrl}/accounts/unsubscribe/${type}/${userId}-${signatureOf(type, String(userId))}`,
    userIdOf: (type, text) => {
      const [, userId = '', signature = ''] = WHOLE_KEY.exec(text) ?? []
      const expected = Buffer.from(signatureOf(type, userId))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected) ? Number(userId) : null
    },
  }
}

/** Whether a path names a kind of mail that links turn off. */
export function isUnsubscribable(type: string): type is UnsubscribableMail {
  return Object.hasOwn(unsubscribable, type)
}
