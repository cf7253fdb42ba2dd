import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { tokenScopes } from '../../declarations/token-scope.ts'

// These are for the audit log alone.

export const signedIn = domainEvent({
  name: 'users.signed_in.v1',
  producer: 'users',
  summary: 'A user signed in',
  payload: z.object({
    user_id: z.int(),
    /** `password`, or the name of another method. */
    method: z.string(),
    grants: z.enum(['api_key', 'session']),
  }),
  audience: () => [],
  audit: {
    actions: { signed_in: 'A user signed in, and got a session or the API key' },
    entries: ({ user_id, method, grants }) => [
      {
        action: 'signed_in',
        actorId: user_id,
        target: { type: 'user', ids: [user_id] },
        details: { method, grants },
      },
    ],
  },
})

/** Of many in one minute only some are published; the counts say how many there were up to this one. */
export const signInRefused = domainEvent({
  name: 'users.sign_in_refused.v1',
  producer: 'users',
  summary: 'A sign-in was refused',
  payload: z.object({
    /** Whose account it was about; null if it was about none. */
    user_id: z.int().nullable(),
    method: z.string(),
    /** An error code, or how a method names its reason. */
    reason: z.string(),
    /**
     * How many of this account and address, and of all accounts of the organization, one replica refused in the minute; without an
     * account both are how many of unknown accounts.
     */
    count: z.int(),
    count_of_organization: z.int(),
  }),
  audience: () => [],
  audit: {
    actions: { sign_in_refused: 'A sign-in was refused; of many in a minute, only some' },
    entries: ({ user_id, ...details }) => [
      {
        action: 'sign_in_refused',
        ...(user_id === null ? {} : { target: { type: 'user', ids: [user_id] } }),
        details,
      },
    ],
  },
})

export const sessionsEnded = domainEvent({
  name: 'users.sessions_ended.v1',
  producer: 'users',
  summary: 'A user logged out, or ended other sessions, or a provider did so',
  payload: z.object({
    user_id: z.int(),
    ended: z.enum(['this', 'one', 'others', 'all', 'of_provider']),
  }),
  audience: () => [],
  audit: {
    actions: { sessions_ended: "Sessions of a user's browsers ended: by a log-out, or by ending others" },
    entries: ({ user_id, ended }) => [
      { action: 'sessions_ended', target: { type: 'user', ids: [user_id] }, details: { ended } },
    ],
  },
})

export const credentialReplaced = domainEvent({
  name: 'users.credential_replaced.v1',
  producer: 'users',
  summary: 'The password or the API key of an account was replaced',
  payload: z.object({ user_id: z.int(), credential: z.enum(['password', 'api_key']) }),
  audience: () => [],
  audit: {
    actions: {
      password_changed: 'The password of an account was set or replaced',
      api_key_replaced: 'The API key of an account was replaced, which ends its API tokens',
    },
    entries: ({ user_id, credential }) => [
      {
        action: credential === 'password' ? 'password_changed' : 'api_key_replaced',
        target: { type: 'user', ids: [user_id] },
      },
    ],
  },
})

export const apiTokenChanged = domainEvent({
  name: 'users.api_token_changed.v1',
  producer: 'users',
  summary: 'An API token was created or revoked',
  payload: z.object({
    op: z.enum(['created', 'revoked']),
    /** Whose token it is. */
    user_id: z.int(),
    token_id: z.int(),
    /** Of a new one. */
    name: z.string().optional(),
    scopes: z.array(z.enum(tokenScopes)).optional(),
    channel_ids: z.array(z.int()).nullable().optional(),
  }),
  audience: () => [],
  audit: {
    actions: {
      api_token_created: 'An API token of a user was created',
      api_token_revoked: 'An API token of a user was revoked',
    },
    entries: ({ op, user_id, ...details }) => [
      {
        action: op === 'created' ? 'api_token_created' : 'api_token_revoked',
        target: { type: 'user', ids: [user_id] },
        details,
      },
    ],
  },
})

export const provisioningTokenChanged = domainEvent({
  name: 'users.provisioning_token_changed.v1',
  producer: 'users',
  summary: "The token of an organization's provisioning was made or revoked",
  payload: z.object({ op: z.enum(['made', 'revoked']) }),
  audience: () => [],
  audit: {
    actions: {
      provisioning_token_made: 'The SCIM token was made, in place of the one before',
      provisioning_token_revoked: 'The SCIM token was revoked',
    },
    entries: ({ op }) => [
      { action: op === 'made' ? 'provisioning_token_made' : 'provisioning_token_revoked' },
    ],
  },
})
