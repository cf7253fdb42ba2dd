/** What a caller is identified by. */
export interface IdentityRequest {
  readonly authorization: string | undefined
  /** An API key or token, for endpoints that take it without an e-mail; then `authorization` isn't read. */
  readonly secret?: string
  readonly host: string
  /** The connection that it came over, with which what it is identified by is remembered. */
  readonly connection: object
  readonly clientIp: string
  readonly requestId: string
}
