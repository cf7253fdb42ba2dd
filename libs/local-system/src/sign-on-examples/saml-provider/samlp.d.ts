/** The parts of the SAML provider that the example and the tests use; it brings no types. */
declare module 'samlp' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Middleware = (request: IncomingMessage, response: ServerResponse, next: (err: unknown) => void) => void

  interface Signer {
    readonly issuer: string
    readonly cert: string
    readonly key: string
  }

  interface Participant {
    readonly serviceProviderId: string
    readonly nameId: string
    readonly sessionIndex: string
    readonly serviceProviderLogoutURL: string
    readonly cert: string
    /** How it is asked to log somebody out; by a redirect if it doesn't say. */
    readonly binding?: string
  }

  interface Store {
    save(request: unknown, state: object, done: (err: unknown, handle: string) => void): void
    load(
      request: unknown,
      handle: string,
      options: object,
      done: (err: unknown, state: object | undefined) => void,
    ): void
    update(request: unknown, handle: string, state: object, done: (err: unknown) => void): void
  }

  interface Claims {
    getClaims(): Readonly<Record<string, unknown>>
    getNameIdentifier(): { readonly nameIdentifier: string; readonly nameIdentifierFormat: string }
  }

  export function auth(
    options: Signer & {
      readonly audience: string
      readonly recipient: string
      readonly destination: string
      readonly signingCert: string
      readonly sessionIndex: string
      readonly signAssertion: boolean
      readonly signResponse: boolean
      readonly encryptionCert?: string
      readonly encryptionPublicKey?: string
      readonly RelayState?: string
      readonly getPostURL: (
        audience: string,
        request: unknown,
        req: unknown,
        done: (err: null, url: string) => void,
      ) => void
      readonly getUserFromRequest: () => unknown
      readonly profileMapper: () => Claims
    },
  ): Middleware

  export function sendError(
    options: Signer & {
      readonly error: { readonly code: string; readonly description: string }
      readonly RelayState: string
      readonly getPostURL: (req: unknown, done: (err: null, url: string) => void) => void
    },
  ): Middleware

  export function logout(
    options: Signer & {
      readonly deflate: true
      readonly protocolBinding: string
      readonly sessionParticipants: object
      readonly store: Store
    },
  ): Middleware
}

declare module 'samlp/lib/sessionParticipants/index.js' {
  import type { Participant } from 'samlp'

  export default class SessionParticipants {
    constructor(all: Participant[])
  }
}
